// A MyST plugin: exercises and solutions that hold notebook cells.
//
// MyST closes `exercise-start` … `exercise-end` only among the children of
// one block, and in a notebook every cell is a block of its own. This
// transform moves the cells between the two gates into the exercise, so
// that every theme, ours or the stock one, sees one closed node.

function gateOf(block, gate) {
  if (block.type !== 'block') return -1;
  return (block.children ?? []).findIndex((child) => child.gate === gate);
}

function close(node, blocks) {
  while (blocks.length) {
    const block = blocks.shift();
    const end = gateOf(block, 'end');
    if (end === -1) {
      node.children.push(block);
      continue;
    }
    node.children.push(...block.children.slice(0, end));
    delete node.gate;
    const rest = block.children.slice(end + 1);
    if (rest.length) blocks.unshift({ ...block, children: rest });
    return;
  }
}

function join(tree) {
  const blocks = tree.children;
  const joined = [];
  while (blocks.length) {
    const block = blocks.shift();
    const start = gateOf(block, 'start');
    joined.push(block);
    if (start !== -1) close(block.children[start], blocks);
  }
  tree.children = joined;
}

const plugin = {
  name: 'Gated exercises across notebook cells',
  transforms: [
    { name: 'join-gates-across-cells', stage: 'document', plugin: () => join },
  ],
};

export default plugin;
