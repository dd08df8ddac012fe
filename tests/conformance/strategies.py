"""Random values, as Hypothesis writes its strategies and some fifty times as fast; nothing is made smaller on failure.

A case follows from its seed alone: `strategy.draw(Random(seed))`.
"""

import itertools
import math
import struct
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

# the values at which programs break, beside those that any range would give
NUMBERS = (0, 1, -1, 2, 10, 127, 128, 255, 256, 32_767, 65_536, 2**31 - 1, 2**31, 2**53, 2**63 - 1, -(2**31), -(2**63))
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 1.1, 1e21, 1e-7, 1e7, 2.0**53, 1e300, 5e-324, 1.175494e-38)
ODD_FLOATS = (math.nan, math.inf, -math.inf)
CHARACTERS = "abcxyzABZ019 _-./:$\\\"'{}[],\x00\x01\t\n\x7f\x80\u00a0éß\u0130\u2028\ud7ff\ue000\ufeff\uffff😀𐍈"


@dataclass(frozen=True)
class Strategy:
    """A way to draw values."""

    draw: Callable[[Random], Any]

    def __or__(self, other: "Strategy") -> "Strategy":
        return one_of(self, other)

    def map(self, change: Callable[[Any], Any]) -> "Strategy":
        """The values, each changed."""
        return Strategy(lambda random: change(self.draw(random)))

    def filter(self, accepts: Callable[[Any], bool]) -> "Strategy":
        """The values that are accepted; there must be many of them."""

        def draw(random: Random) -> Any:
            while not accepts(value := self.draw(random)):
                pass
            return value

        return Strategy(draw)


@dataclass(frozen=True)
class Alternatives(Strategy):
    """One of several strategies, each as often as the others."""

    strategies: tuple[Strategy, ...] = ()


def one_of(*strategies: Strategy) -> Strategy:
    """A value of one of them; alternatives among them count one by one."""
    flat: list[Strategy] = []
    for strategy in strategies:
        flat += strategy.strategies if isinstance(strategy, Alternatives) else [strategy]
    return Alternatives(lambda random: flat[int(random.random() * len(flat))].draw(random), tuple(flat))


def just(value: Any) -> Strategy:
    """Always the same value."""
    return Strategy(lambda _: value)


def none() -> Strategy:
    """None."""
    return just(None)


def sampled_from(values: Sequence[Any]) -> Strategy:
    """One of some values."""
    return Strategy(lambda random: values[int(random.random() * len(values))])


def booleans() -> Strategy:
    """True or False."""
    return Strategy(lambda random: random.random() < 0.5)


def integers(least: int, most: int) -> Strategy:
    """Whole numbers of a range: its ends, well-known limits and small ones as often as any others."""
    known = sorted({least, most, *(number for number in NUMBERS if least <= number <= most)})
    if most - least < 1000:
        return Strategy(lambda random: least + int(random.random() * (most - least + 1)))
    return one_of(sampled_from(known), Strategy(lambda random: random.randint(least, most)))


def floats(*, width: int = 64, allow_nan: bool = True) -> Strategy:
    """Doubles of all sizes, or single precision. width: 32 or 64."""
    known = FLOATS + (ODD_FLOATS if allow_nan else (math.inf, -math.inf))

    def narrow(value: float) -> float:
        return struct.unpack("f", struct.pack("f", value))[0] if abs(value) < 3e38 else math.copysign(math.inf, value)

    def bits(random: Random) -> float:
        value: float = struct.unpack("d", struct.pack("Q", random.getrandbits(64)))[0]
        return 0.1 if math.isnan(value) else value

    some = one_of(sampled_from(known), Strategy(lambda random: random.uniform(-1000, 1000)), Strategy(bits))
    return some.map(lambda value: value if math.isnan(value) else narrow(value)) if width == 32 else some


def text(*, max_size: int) -> Strategy:
    """Short texts: plain and odd characters, and any at all but halves of surrogate pairs."""

    def character(random: Random) -> str:
        if random.random() < 0.8:
            return CHARACTERS[int(random.random() * len(CHARACTERS))]
        point = random.randrange(0x110000)
        return "�" if 0xD800 <= point < 0xE000 else chr(point)

    return lists(Strategy(character), max_size=max_size).map("".join)


def binary(*, max_size: int) -> Strategy:
    """Bytes."""
    return Strategy(lambda random: random.randbytes(random.randint(0, max_size)))


def uuids() -> Strategy:
    """Random UUIDs."""
    return Strategy(lambda random: uuid.UUID(int=random.getrandbits(128), version=4))


def lists(values: Strategy, *, min_size: int = 0, max_size: int, unique: bool = False) -> Strategy:
    """Lists of values. unique: no value twice; the list may be shorter for that."""

    def draw(random: Random) -> list[Any]:
        drawn = [values.draw(random) for _ in range(random.randint(min_size, max_size))]
        return list(dict.fromkeys(drawn)) if unique else drawn

    return Strategy(draw)


def dictionaries(keys: Strategy, values: Strategy, *, max_size: int) -> Strategy:
    """Dicts of up to so many members."""
    pairs = lists(tuples(keys, values), max_size=max_size)
    return pairs.map(dict)


def tuples(*strategies: Strategy) -> Strategy:
    """A value of each."""
    return Strategy(lambda random: tuple(strategy.draw(random) for strategy in strategies))


def fixed_dictionaries(members: Mapping[str, Strategy], *, optional: Mapping[str, Strategy] | None = None) -> Strategy:
    """Dicts of these members. optional: those that may be missing."""

    def draw(random: Random) -> dict[str, Any]:
        wanted = dict(members) | {name: one for name, one in (optional or {}).items() if random.random() < 0.5}
        return {name: strategy.draw(random) for name, strategy in wanted.items()}

    return Strategy(draw)


def recursive(base: Strategy, extend: Callable[[Strategy], Strategy], *, depth: int = 3) -> Strategy:
    """Values that hold others of their kind, nested up to a depth; at each level, every other one holds some."""
    level = base
    for _ in range(depth):
        level = _either(base, extend(level))
    return level


def _either(one: Strategy, other: Strategy) -> Strategy:
    return Strategy(lambda random: (one if random.random() < 0.5 else other).draw(random))


Draw = Callable[[Strategy], Any]


def composite(function: Callable[..., Any]) -> Callable[..., Strategy]:
    """A strategy of a function that draws from others: its first parameter draws."""

    def made(*arguments: Any, **options: Any) -> Strategy:
        return Strategy(lambda random: function(lambda strategy: strategy.draw(random), *arguments, **options))

    return made


def seeded(strategy: Strategy, start: int) -> Iterator[tuple[str, Any]]:
    """Cases without an end, each with the name that draws it again. start: the seed of the first."""
    for number in itertools.count(start):
        yield f"--case-seed {number}", strategy.draw(Random(number))
