"""Ids of every kind that writers use, without end, each different from all before it."""

import itertools
import uuid
from collections.abc import Callable, Iterator
from random import Random

SEED = 13
NODE, CLOCK = 0x02_42_AC_11_00_02, 0x9C3F  # of one host, as every id of version 1 or 6 has them
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TICKS = 0x1EF_8A5B_0000_0000  # of 100 ns since 1582, some time in 2025
MILLISECONDS = 1_750_000_000_000


def _random() -> Iterator[bytes]:
    chance = Random(SEED)
    while True:
        yield str(uuid.UUID(int=chance.getrandbits(128), version=4)).encode()


def _version_1() -> Iterator[bytes]:
    for n in itertools.count(TICKS, 37):
        yield f"{n & 0xFFFFFFFF:08x}-{n >> 32 & 0xFFFF:04x}-1{n >> 48 & 0xFFF:03x}-{CLOCK:04x}-{NODE:012x}".encode()


def _version_6() -> Iterator[bytes]:
    for n in itertools.count(TICKS, 37):
        yield f"{n >> 28 & 0xFFFFFFFF:08x}-{n >> 12 & 0xFFFF:04x}-6{n & 0xFFF:03x}-{CLOCK:04x}-{NODE:012x}".encode()


def _version_7() -> Iterator[bytes]:
    chance = Random(SEED)
    for n in itertools.count():
        high = (MILLISECONDS + n // 20) << 80
        yield str(uuid.UUID(int=high | 0x7 << 76 | n % 20 << 64 | 0x2 << 62 | chance.getrandbits(62))).encode()


def _ulid() -> Iterator[bytes]:
    chance = Random(SEED)
    for n in itertools.count():
        number = (MILLISECONDS + n // 20) << 80 | chance.getrandbits(80)
        yield "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -5, -5)).encode()


def _bigint() -> Iterator[bytes]:
    yield from (str(n).encode() for n in itertools.count(1))


def _counter() -> Iterator[bytes]:
    """A counter in front, and nothing but zeros behind it."""
    yield from (f"{n:08x}-0000-4000-8000-000000000000".encode() for n in itertools.count(1))


def _upper_case() -> Iterator[bytes]:
    yield from (one.upper() for one in _random())


KINDS: dict[str, Callable[[], Iterator[bytes]]] = {
    "random": _random,
    "version 1": _version_1,
    "version 6": _version_6,
    "version 7": _version_7,
    "ULID": _ulid,
    "bigint": _bigint,
    "counter": _counter,
    "upper case": _upper_case,
}
