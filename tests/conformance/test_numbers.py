"""Floating-point numbers as text: the model and Java write the same."""

import struct
from collections.abc import Callable
from random import Random

import jpype
import pytest

from outbox_kit.router import javatext
from tests.support import jvm

RANDOM_NUMBERS = 5_000


@pytest.mark.random
@pytest.mark.parametrize(
    ("java_class", "from_bits", "formats", "fraction_bits", "exponents", "text_of"),
    [
        ("java.lang.Float", "intBitsToFloat", "If", 23, 255, javatext.single),
        ("java.lang.Double", "longBitsToDouble", "Qd", 52, 2047, javatext.double),
    ],
    ids=["float", "double"],
)
def test_a_number_s_text_is_java_s(
    java_class: str,
    from_bits: str,
    formats: str,
    fraction_bits: int,
    exponents: int,
    text_of: Callable[[float], str],
    pytestconfig: pytest.Config,
) -> None:
    jvm.start()
    java, random = jpype.JClass(java_class), Random(pytestconfig.getoption("--case-seed"))
    powers_of_two = [(exponent << fraction_bits) + step for exponent in range(1, exponents) for step in (-1, 0, 1)]
    smallest = range(1_000)  # these have the fewest digits
    drawn = [
        random.getrandbits(fraction_bits) + (random.randrange(exponents) << fraction_bits)
        for _ in range(RANDOM_NUMBERS)
    ]
    for bits in (*smallest, *powers_of_two, *drawn):
        (value,) = struct.unpack(formats[1], struct.pack(formats[0], bits))
        assert text_of(value) == str(java.toString(getattr(java, from_bits)(bits))), f"{java_class} {bits:#x}"
