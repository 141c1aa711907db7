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


def cut() -> None:
    """Wrap the calls that open a connection or look up a name."""
    if getattr(socket, "network_is_cut", False):
        return
    socket.network_is_cut = True
    for name in ("connect", "connect_ex"):
        original = getattr(socket.socket, name)

        def guarded(self, address, original=original):
            if not is_local(address):
                raise NetworkRefused(f"no network here: {address!r}")
            return original(self, address)

        setattr(socket.socket, name, guarded)
    look_up = socket.getaddrinfo

    def guarded_look_up(host, *args, **kwargs):
        if host is not None and not is_local((host,)):
            raise NetworkRefused(f"no network here: {host!r}")
        return look_up(host, *args, **kwargs)

    socket.getaddrinfo = guarded_look_up


cut()
