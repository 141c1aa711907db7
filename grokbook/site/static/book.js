// The book's one script. Every page reads well without it; this adds search,
// colours, tabs, previews, copying, the drawer and the marker of where you are.

const html = document.documentElement;
const root = html.dataset.root;
const $ = (selector, from = document) => from.querySelector(selector);
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// --- colours: as the system, light, dark -----------------------------------

function startColours() {
  const button = $('#theme-button');
  const names = { '': 'as the system', light: 'light', dark: 'dark' };
  const next = { '': 'light', light: 'dark', dark: '' };
  const show = (theme) => {
    if (theme) html.dataset.theme = theme;
    else delete html.dataset.theme;
    button.setAttribute('aria-label', `Colours: ${names[theme]}`);
    button.title = `Colours: ${names[theme]}`;
  };
  show(html.dataset.theme ?? '');
  button.addEventListener('click', () => {
    const theme = next[html.dataset.theme ?? ''];
    show(theme);
    try {
      if (theme) localStorage.setItem('theme', theme);
      else localStorage.removeItem('theme');
    } catch { /* no storage: the choice lasts until the page is left */ }
  });
}

// --- the drawer that holds the contents on small screens -------------------

function startDrawer() {
  const button = $('#drawer-button');
  const drawer = $('#contents');
  const set = (open) => {
    drawer.classList.toggle('open', open);
    button.setAttribute('aria-expanded', String(open));
    if (open) ($('[aria-current]', drawer) ?? $('a', drawer)).focus();
  };
  const isOpen = () => drawer.classList.contains('open');
  button.addEventListener('click', () => set(!isOpen()));
  document.addEventListener('click', (event) => {
    const inside = event.target.closest('#contents, #drawer-button');
    if (isOpen() && (!inside || event.target.closest('#contents a'))) set(false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !isOpen()) return;
    set(false);
    button.focus();
  });
  drawer.addEventListener('focusout', (event) => {
    if (isOpen() && event.relatedTarget && !drawer.contains(event.relatedTarget)
      && event.relatedTarget !== button) set(false);
  });
}

// --- search -----------------------------------------------------------------

const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

// Folding changes lengths, so a place in folded text is not the same place
// in the text: this keeps, for each folded letter, where it came from.
function foldWithPlaces(text) {
  const places = [];
  let folded = '';
  let at = 0;
  for (const letter of text) {
    const plain = fold(letter);
    for (let i = 0; i < plain.length; i += 1) places.push(at);
    folded += plain;
    at += letter.length;
  }
  return { folded, places: [...places, text.length] };
}

function score(record, words) {
  let total = 0;
  for (const word of words) {
    if (record.foldedSection.includes(word)) total += 12;
    else if (record.foldedPage.includes(word)) total += 6;
    else if (!record.foldedText.includes(word)) return 0;
    const times = record.foldedText.split(word).length - 1;
    total += Math.min(times, 5);
  }
  return total;
}

function snippet(record, words) {
  const { folded, places } = foldWithPlaces(record.text);
  const found = words.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  const start = found.length ? places[Math.max(0, Math.min(...found) - 32)] : 0;
  return (start ? '…' : '') + record.text.slice(start, start + 150);
}

function marked(text, words) {
  const { folded, places } = foldWithPlaces(text);
  const safe = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const parts = [];
  let end = 0;
  for (const found of folded.matchAll(new RegExp(safe.join('|'), 'g'))) {
    const start = places[found.index];
    parts.push(text.slice(end, start));
    end = places[found.index + found[0].length];
    parts.push(make('mark', {}, text.slice(start, end)));
  }
  return [...parts, text.slice(end)];
}

function startSearch() {
  const input = $('#search');
  const list = $('#hits');
  const status = $('#hit-count');
  let records;
  let chosen = -1;

  async function load() {
    const answer = await fetch(`${root}search.json`);
    if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
    return (await answer.json()).map((record) => ({
      ...record,
      foldedPage: fold(record.page),
      foldedSection: fold(record.section || record.page),
      foldedText: fold(record.text),
    }));
  }
  const options = () => $$('[role="option"]', list);

  function open(isOpen) {
    list.hidden = !isOpen;
    input.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) choose(-1);
  }
  // What is said is heard always and seen where no hits are.
  function say(words, isSeen) {
    status.textContent = words;
    status.className = isSeen ? 'hits no-hit' : 'unseen';
  }
  function close() {
    open(false);
    say('', false);
  }
  function choose(index) {
    chosen = index;
    options().forEach((option, i) => {
      option.setAttribute('aria-selected', String(i === index));
      if (i === index) option.scrollIntoView({ block: 'nearest' });
    });
    if (index < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `hit-${index}`);
  }
  function follow(option) {
    close();
    location.href = option.dataset.href;
  }
  function option(record, words, i) {
    const title = make('b', {}, ...marked(record.section || record.page, words));
    if (record.section) title.append(make('span', {}, ` · ${record.page}`));
    const hit = make('div', { className: 'hit', id: `hit-${i}` }, title,
      make('small', {}, ...marked(snippet(record, words), words)));
    hit.setAttribute('role', 'option');
    hit.setAttribute('aria-selected', 'false');
    hit.dataset.href = root + record.url;
    hit.addEventListener('mousedown', (event) => event.preventDefault());
    hit.addEventListener('click', () => follow(hit));
    return hit;
  }
  async function search() {
    try {
      records ??= load();
      show(await records);
    } catch {
      records = undefined; // the next letter tries again
      list.replaceChildren();
      open(false);
      say('Search could not be loaded', true);
    }
  }
  function show(found) {
    const words = fold(input.value).split(/\s+/).filter(Boolean);
    const hits = words.length === 0 ? [] : found
      .map((record) => [score(record, words), record])
      .filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0])
      .slice(0, 12);
    list.replaceChildren(...hits.map(([, record], i) => option(record, words, i)));
    const count = hits.length === 1 ? '1 result' : `${hits.length || 'No'} results`;
    say(words.length ? count : '', words.length > 0 && !hits.length);
    open(hits.length > 0);
    if (hits.length) choose(0);
  }
  input.addEventListener('input', search);
  input.addEventListener('focus', () => { if (input.value) search(); });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    const count = options().length;
    if (event.key === 'Escape') {
      if (list.hidden) input.blur();
      close();
    } else if (list.hidden || !count) {
      return;
    } else if (event.key === 'ArrowDown') {
      choose((chosen + 1) % count);
    } else if (event.key === 'ArrowUp') {
      choose((chosen - 1 + count) % count);
    } else if (event.key === 'Enter') {
      follow(options()[Math.max(chosen, 0)]);
    } else {
      return;
    }
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    // A browser that fills the box in sends a key event without a key.
    const key = event.key ?? '';
    const typing = event.target.closest('input, textarea, select, [contenteditable]');
    const slash = key === '/' && !typing && !event.ctrlKey && !event.metaKey;
    const control = key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!slash && !control) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

// --- tabs: the same choice everywhere on the page --------------------------

function startTabs() {
  $$('.tabs').forEach((set) => {
    const panels = $$(':scope > .tab', set);
    const bar = make('div', { className: 'tab-list' });
    bar.setAttribute('role', 'tablist');
    bar.setAttribute('aria-label', 'Choose one of these');
    const buttons = panels.map((panel) => {
      const button = make('button', { type: 'button', id: `${panel.id}-button` },
        $('.tab-title', panel).textContent);
      button.setAttribute('role', 'tab');
      button.setAttribute('aria-controls', panel.id);
      button.dataset.sync = panel.dataset.sync;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', button.id);
      panel.tabIndex = 0;
      return button;
    });
    set.select = (sync) => {
      const i = buttons.findIndex((button) => button.dataset.sync === sync);
      if (i < 0) return;
      buttons.forEach((button, j) => {
        button.setAttribute('aria-selected', String(i === j));
        button.tabIndex = i === j ? 0 : -1;
        panels[j].hidden = i !== j;
      });
    };
    bar.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (button) $$('.tabs').forEach((other) => other.select?.(button.dataset.sync));
    });
    bar.addEventListener('keydown', (event) => {
      const at = buttons.indexOf(document.activeElement);
      const last = buttons.length - 1;
      const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at ? at - 1 : last,
        Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      buttons[to].click();
      buttons[to].focus();
    });
    bar.append(...buttons);
    set.prepend(bar);
    set.select(panels[0].dataset.sync);
  });
}

// --- previews of what a reference leads to ---------------------------------

const pages = new Map();

async function pageAt(url) {
  if (url.pathname === location.pathname) return document;
  if (!pages.has(url.pathname)) {
    pages.set(url.pathname, fetch(url.pathname)
      .then((answer) => answer.text())
      .then((text) => new DOMParser().parseFromString(text, 'text/html')));
  }
  return pages.get(url.pathname);
}

function excerpt(target) {
  if (target.matches('dt')) return [target.parentElement];
  if (!target.matches('h1, h2, h3, h4, h5, h6')) return [target];
  const parts = [target];
  let next = target.nextElementSibling;
  while (next && parts.length < 3 && !next.matches('h1, h2, h3, h4')) {
    parts.push(next);
    next = next.nextElementSibling;
  }
  return parts;
}

function copyOf(part, base) {
  const copy = part.cloneNode(true);
  [copy, ...$$('*', copy)].forEach((element) => {
    element.removeAttribute('id');
    element.removeAttribute('tabindex');
    for (const name of ['href', 'src']) {
      const value = element.localName !== 'use' && element.getAttribute(name);
      if (value) element.setAttribute(name, new URL(value, base).href);
    }
  });
  $$('script', copy).forEach((script) => script.remove());
  return copy;
}

function startPreviews() {
  const selector = 'a.reference, a.term, a.citation, a.footnote';
  let box;
  let timer;
  const hide = () => {
    clearTimeout(timer);
    box?.remove();
    $$('[aria-describedby="preview"]').forEach((a) => a.removeAttribute('aria-describedby'));
    box = undefined;
  };
  const later = (action, delay) => {
    clearTimeout(timer);
    timer = setTimeout(action, delay);
  };
  async function show(link) {
    const url = new URL(link.href);
    if (!url.hash) return;
    const page = await pageAt(url).catch(() => null);
    const target = page?.getElementById(decodeURIComponent(url.hash.slice(1)));
    if (!target || !link.matches(':hover, :focus')) return;
    hide();
    box = make('div', { className: 'preview', id: 'preview' },
      ...excerpt(target).map((part) => copyOf(part, url)));
    box.setAttribute('role', 'tooltip');
    if (page !== document) {
      box.append(make('p', { className: 'preview-source' }, `In “${$('h1', page).textContent}”`));
    }
    document.body.append(box);
    link.setAttribute('aria-describedby', 'preview');
    place(box, link);
    box.addEventListener('mouseenter', () => clearTimeout(timer));
    box.addEventListener('mouseleave', () => later(hide, 120));
  }
  function place(element, link) {
    const at = link.getBoundingClientRect();
    const size = element.getBoundingClientRect();
    const wide = html.clientWidth;
    const left = Math.min(Math.max(16, at.left - 16), Math.max(16, wide - size.width - 16));
    const below = at.bottom + size.height + 12 < innerHeight || at.top < size.height + 60;
    const top = below ? at.bottom + 6 : at.top - size.height - 6;
    element.style.left = `${left + scrollX}px`;
    element.style.top = `${top + scrollY}px`;
  }
  const main = $('main');
  main.addEventListener('mouseover', (event) => {
    const link = event.target.closest(selector);
    if (link) later(() => show(link), 180);
  });
  main.addEventListener('mouseout', (event) => {
    if (event.target.closest(selector)) later(hide, 160);
  });
  main.addEventListener('focusin', (event) => {
    const link = event.target.closest(selector);
    if (link?.matches(':focus-visible')) show(link);
  });
  main.addEventListener('focusout', hide);
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape') hide(); });
}

// --- copying code ------------------------------------------------------------

function startCopying() {
  $$('.code').forEach((block) => {
    const button = make('button', { type: 'button', className: 'copy' }, 'Copy');
    button.setAttribute('aria-label', 'Copy this code');
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText($('code', block).textContent);
        button.textContent = 'Copied';
      } catch {
        button.textContent = 'Not copied';
      }
      button.classList.add('done');
      setTimeout(() => {
        button.textContent = 'Copy';
        button.classList.remove('done');
      }, 1600);
    });
    block.append(button);
  });
}

// --- what scrolls sideways: reached with the keyboard, shaded where more is ---

function startScrollers() {
  const all = $$('main :is(pre, .scroll, .plot, .three-ways dl > div)');
  const shade = (element) => {
    const hidden = element.scrollWidth - element.clientWidth;
    element.classList.toggle('more-before', hidden > 1 && element.scrollLeft > 1);
    element.classList.toggle('more-after', hidden - element.scrollLeft > 1);
  };
  const look = (element) => {
    if (element.scrollWidth > element.clientWidth + 1) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
    shade(element);
  };
  const watch = new ResizeObserver((entries) => entries.forEach(({ target }) => look(target)));
  all.forEach((element) => {
    watch.observe(element);
    element.addEventListener('scroll', () => shade(element), { passive: true });
  });
  // A font that comes late widens a formula and leaves its box as it was.
  document.fonts.addEventListener('loadingdone', () => all.forEach(look));
}

// --- where you are on the page ------------------------------------------------

function startMarker() {
  const links = $$('.on-page a, .contents .inner a');
  const heads = [...new Set(links.map((link) => link.hash.slice(1)))]
    .map((id) => document.getElementById(decodeURIComponent(id))).filter(Boolean);
  if (!heads.length) return;
  let waiting = false;
  const mark = () => {
    waiting = false;
    const edge = innerHeight * 0.25;
    const above = heads.map((head) => [head.getBoundingClientRect().top, head.id])
      .filter(([top]) => top < edge)
      .sort((a, b) => b[0] - a[0]);
    const here = above.length ? `#${above[0][1]}` : '';
    links.forEach((link) => {
      if (decodeURIComponent(link.hash) === here) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    });
  };
  addEventListener('scroll', () => {
    if (!waiting) requestAnimationFrame(mark);
    waiting = true;
  }, { passive: true });
  mark();
}

// --- folds: open what a link or a printer asks for ----------------------------

function startFolds() {
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let fold = target.closest('details'); fold; fold = fold.parentElement.closest('details')) {
      fold.open = true;
    }
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = $$('details:not([open])');
    opened.forEach((fold) => { fold.open = true; });
  });
  addEventListener('afterprint', () => opened.forEach((fold) => { fold.open = false; }));
  if (location.hash) reveal();
}

startColours();
startDrawer();
startSearch();
startTabs();
startPreviews();
startCopying();
startScrollers();
startMarker();
startFolds();
