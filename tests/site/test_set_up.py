"""What the theme and its tests say and do when something is missing."""

import os
import subprocess
import tempfile

import building
import pytest

from grokbook.site import assets, render, serve
from grokbook.site.errors import BuildError


def test_without_npm_the_build_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BuildError, match=r"install Node\.js 18 or later"):
        assets.install_katex()


@pytest.mark.parametrize(
    ("main", "names", "command"),
    [
        (render.main, ["CONTENT_CDN", "BUILD_DIRECTORY"], "build"),
        (serve.main, ["PORT", "CONTENT_CDN_PORT"], "start"),
    ],
)
def test_run_by_hand_the_theme_names_the_command(
    monkeypatch, main, names, command
):
    for missing in names:
        for name in names:
            monkeypatch.setenv(name, "1")
        monkeypatch.delenv(missing)
        with pytest.raises(SystemExit, match=f"jupyter book {command}") as end:
            main()
        assert f"{missing} is not set" in str(end.value)


def test_a_lock_belongs_to_its_user(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with building.alone("x"):
        names = [file.name for file in tmp_path.iterdir()]
    assert names == [f"grokbook-{os.getuid()}-x.lock"]


def test_an_install_that_was_broken_off_is_made_again(monkeypatch, tmp_path):
    calls = []
    monkeypatch.setattr(
        subprocess, "run", lambda command, **rest: calls.append(command[:2])
    )
    finished = tmp_path / "node_modules" / ".package-lock.json"
    finished.parent.mkdir()
    building.install(tmp_path)
    assert calls == [["npm", "ci"]]
    finished.touch()
    building.install(tmp_path)
    assert len(calls) == 1
