"""Copy the files that pages need beside their HTML."""

import re
import shutil
import subprocess
from pathlib import Path

from grokbook.files import copy, put
from grokbook.site.content import Content
from grokbook.site.errors import BuildError

HERE = Path(__file__).parent
KATEX = HERE / "node_modules" / "katex" / "dist"
MACHINE_READABLE = ("myst.xref.json", "objects.inv")
# KaTeX names each font three times; every browser of today reads the first.
OLDER_FONTS = re.compile(r',url\([^)]+\.(?:woff|ttf)\) format\("[a-z]+"\)')


def copy_content(content: Content, target: Path, files: set[str]) -> None:
    """Copy the images and downloads that the pages link to."""
    for name in sorted(files):
        put(target / "build" / name.lstrip("/"), content.data(name))
    for name in MACHINE_READABLE:
        put(target / name, content.data(name))


def copy_theme(target: Path) -> None:
    """Copy the theme's style sheet, script and icon, and KaTeX's fonts."""
    static = target / "static"
    shutil.copytree(
        HERE / "static", static, copy_function=copy, dirs_exist_ok=True
    )
    copy_katex(static / "katex")
    (target / ".nojekyll").touch()


def copy_katex(folder: Path) -> None:
    """Copy KaTeX's style sheet and the fonts it names, in one format."""
    sheet = KATEX / "katex.min.css"
    if not sheet.is_file():
        install_katex()
    css = OLDER_FONTS.sub("", sheet.read_text(encoding="utf-8"))
    (folder / "fonts").mkdir(parents=True, exist_ok=True)
    put(folder / "katex.min.css", css)
    for font in re.findall(r"url\((fonts/[^)]+)\)", css):
        copy(KATEX / font, folder / font)


def install_katex() -> None:
    """Install KaTeX, once.

    MyST runs a theme's install command for ``start`` but not for a static
    build, so the renderer does it when the fonts are not there.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise BuildError("There is no npm: install Node.js 18 or later.")
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"npm ci failed in {HERE.name}:\n{done.stderr}")
