"""The book while it is written: ``jupyter book start``."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from building import copy_fixture, surroundings


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(address: str, seconds: int = 40) -> str:
    end = time.monotonic() + seconds
    while True:
        try:
            with urlopen(address, timeout=5) as answer:
                return answer.read().decode()
        except (URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.3)


@pytest.fixture
def project(theme: Path, tmp_path: Path) -> Path:
    return copy_fixture(tmp_path)


@pytest.fixture
def address(project: Path) -> Iterator[str]:
    port, content = free_port(), free_port()
    command = [sys.executable, "-m", "jupyter", "book", "start"]
    command += ["--port", str(port), "--server-port", str(content)]
    with subprocess.Popen(
        command,
        cwd=project,
        env=surroundings(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as server:
        try:
            yield f"http://localhost:{port}/"
        finally:
            os.killpg(server.pid, signal.SIGTERM)


def test_a_changed_page_is_new_at_the_next_visit(address, project):
    assert "Every construct" in wait_for(address + "constructs/")
    page = project / "chapters" / "glossary.md"
    words = page.read_text(encoding="utf-8") + "\nWords added while serving.\n"
    page.write_text(words, encoding="utf-8")
    end = time.monotonic() + 20
    while "added while serving" not in wait_for(address + "glossary/"):
        assert time.monotonic() < end, "the page stays old"
        time.sleep(0.3)
