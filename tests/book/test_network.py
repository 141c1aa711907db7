"""Chapters run with the network cut; a try to reach it is refused."""

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def run(source: str) -> str:
    """Run one cell in a new kernel and return what it printed."""
    cell = nbformat.v4.new_code_cell(source)
    nb = nbformat.v4.new_notebook(cells=[cell])
    NotebookClient(nb, timeout=60, kernel_name="python3").execute()
    return nb.cells[0].outputs[0].text


def test_a_kernel_cannot_leave_the_machine():
    # 192.0.2.0/24 is set aside for documentation: nobody is there.
    with pytest.raises(CellExecutionError, match="no network here"):
        run("import socket; socket.create_connection(('192.0.2.1', 80), 2)")


def test_a_kernel_cannot_look_up_a_name():
    with pytest.raises(CellExecutionError, match="no network here"):
        run("import socket; socket.getaddrinfo('example.org', 443)")


def test_loopback_stays_open():
    listen = (
        "import socket; s = socket.create_server(('127.0.0.1', 0));"
        "socket.create_connection(s.getsockname()); print('open')"
    )
    assert run(listen) == "open\n"
