"""Numbers spread evenly over 64 bits, whatever they looked like before. Pure.

The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection, so that different numbers stay different.
"""

import numpy as np
from numpy.typing import NDArray

GAMMA, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
MASK = 2**64 - 1
Numbers = NDArray[np.uint64]


def mixed(numbers: Numbers) -> Numbers:
    """Each number as another one."""
    hashes = numbers + np.uint64(GAMMA)
    hashes = (hashes ^ (hashes >> np.uint64(30))) * np.uint64(FIRST)
    hashes = (hashes ^ (hashes >> np.uint64(27))) * np.uint64(SECOND)
    spread: Numbers = hashes ^ (hashes >> np.uint64(31))
    return spread


def mixed_one(number: int) -> int:
    """The same for one number below 2**64."""
    mixed_hash = (number + GAMMA) & MASK
    mixed_hash = ((mixed_hash ^ (mixed_hash >> 30)) * FIRST) & MASK
    mixed_hash = ((mixed_hash ^ (mixed_hash >> 27)) * SECOND) & MASK
    return mixed_hash ^ (mixed_hash >> 31)
