"""A program that cuts itself off from every network but loopback, then runs a whole group.

Prints what it saw as one JSON object.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import socket
import struct
from pathlib import Path

from korely.embedded.stack import Stack
from tests.api_client import Api

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 0x1


def leave_the_network() -> None:
    """Enter a network namespace of our own, in which loopback alone is up."""
    user, group = os.getuid(), os.getgid()
    flags = CLONE_NEWNET if user == 0 else CLONE_NEWNET | CLONE_NEWUSER
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flags) != 0:
        raise OSError(ctypes.get_errno(), "no network namespace can be made here")
    if user != 0:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        asked = struct.pack("16sh22x", b"lo", 0)
        (present,) = struct.unpack("16xh22x", fcntl.ioctl(control, SIOCGIFFLAGS, asked))
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", present | IFF_UP))


def reach_outside() -> str:
    """What comes of a connection to an address outside (one reserved for documentation)."""
    try:
        socket.create_connection(("192.0.2.1", 443), timeout=2).close()
    except OSError as error:
        return error.strerror or type(error).__name__
    return "connected"


def main() -> None:
    leave_the_network()
    with Stack.temporary(env={"WORK_SWEEP_SECONDS": "1"}) as stack:
        api = Api(stack.base_url, stack.key)
        memory = api.told("I live in Lisbon.", "u")
        fact = memory["facts"][0]
        seen = {
            "interfaces": [name for _, name in socket.if_nameindex()],
            "outside": reach_outside(),
            "fact": f"{fact['predicate']} {fact['object']}",
            "hit": api.search("Where do I live?", user_id="u")[0]["snippet"],
            "context": api.context("Where do I live?", user_id="u")["context"],
            "docs": api.get("/v1/docs").status_code,
        }
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
