"""Python imports this module by itself when its folder is on PYTHONPATH.

It refuses connections that leave the machine, so that a chapter or a test
which needs the network fails at once and says so.
"""

import ipaddress
import socket


class NetworkRefused(OSError):
    """Somebody tried to reach another machine."""


def is_local(address: object) -> bool:
    """Whether an address is on this machine: loopback, or not IP at all."""
    if not isinstance(address, tuple):
        return True
    host = str(address[0]).split("%")[0]
    if host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def refuse_unless_local(address: object) -> None:
    """Raise for an address that is not on this machine."""
    if not is_local(address):
        raise NetworkRefused(f"no network here: {address!r}")


def cut() -> None:
    """Wrap the calls that send to an address or look up a name."""
    if getattr(socket, "network_is_cut", False):
        return
    socket.network_is_cut = True
    for name in ("connect", "connect_ex", "sendto", "sendmsg"):
        guard_sending(name)
    for name in (
        "getaddrinfo",
        "gethostbyname",
        "gethostbyname_ex",
        "gethostbyaddr",
    ):
        guard_looking_up(name)


def guard_sending(name: str) -> None:
    """Check the address, which is the last argument of these methods."""
    original = getattr(socket.socket, name)

    def guarded(self, *args):
        if args and isinstance(args[-1], tuple):
            refuse_unless_local(args[-1])
        return original(self, *args)

    setattr(socket.socket, name, guarded)


def guard_looking_up(name: str) -> None:
    """Check the host, which is the first argument of these functions."""
    original = getattr(socket, name)

    def guarded(host, *args, **kwargs):
        if host is not None:
            refuse_unless_local((host,))
        return original(host, *args, **kwargs)

    setattr(socket, name, guarded)


cut()
