"""Which IP addresses belong to the public internet.

Sources: the IANA registries of special-purpose addresses (IPv4, IPv6), of multicast addresses and
of IPv6 unicast allocations (nothing outside 2000::/3 is public).
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_network

Address = IPv4Address | IPv6Address

_SPECIAL_4 = tuple(
    ip_network(block)
    for block in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared by carriers; metadata of one cloud
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's own wire server, from inside it
        "169.254.0.0/16",  # link-local; metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # multicast tunnels
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_GLOBAL_6 = ip_network("2000::/3")
_SPECIAL_6 = tuple(
    ip_network(block)
    for block in (
        "2001::/23",  # protocol assignments; Teredo and its IPv4 addresses
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: an IPv4 address inside
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)
_ISATAP = (0x00005EFE, 0x02005EFE)  # then an IPv4 address, as the last 64 bits


def is_public(address: Address) -> bool:
    """Whether an address is one that anybody on the internet can reach.

    IPv4 addresses inside IPv6 ones (mapped, compatible, translated, tunnelled) are never public.
    """
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _SPECIAL_4)
    if address not in _GLOBAL_6 or any(address in block for block in _SPECIAL_6):
        return False
    return (int(address) >> 32) & 0xFFFF_FFFF not in _ISATAP
