"""Chapters run with the network cut; a try to reach it is refused."""

import socket

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


# The guard in this process is the one in a kernel; a kernel for each of these
# calls would show the same.
@pytest.mark.parametrize("call", ["getaddrinfo", "gethostbyname"])
def test_no_name_is_looked_up(call: str):
    args = ("example.org", 443)[: 1 + (call == "getaddrinfo")]
    with pytest.raises(OSError, match="no network here"):
        getattr(socket, call)(*args)


def test_no_packet_is_sent():
    with (
        socket.socket(type=socket.SOCK_DGRAM) as sender,
        pytest.raises(OSError, match="no network here"),
    ):
        sender.sendto(b"", ("192.0.2.1", 9))


def test_loopback_stays_open():
    listen = (
        "import socket; s = socket.create_server(('127.0.0.1', 0));"
        "socket.create_connection(s.getsockname()); print('open')"
    )
    assert run(listen) == "open\n"
