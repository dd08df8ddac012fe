"""The partition of a key, as Kafka's Java producer chooses it: murmur2 of the key's bytes."""

SEED = 0x9747B28C
MULTIPLIER = 0x5BD1E995
WORD = 0xFFFFFFFF


def murmur2(key: bytes) -> int:
    """The hash as an unsigned 32-bit number (`org.apache.kafka.common.utils.Utils.murmur2`)."""
    h = SEED ^ len(key)
    aligned = len(key) & ~3
    for at in range(0, aligned, 4):
        k = int.from_bytes(key[at : at + 4], "little") * MULTIPLIER & WORD
        k = (k ^ k >> 24) * MULTIPLIER & WORD
        h = h * MULTIPLIER & WORD ^ k
    if aligned < len(key):
        h = (h ^ int.from_bytes(key[aligned:], "little")) * MULTIPLIER & WORD
    h = (h ^ h >> 13) * MULTIPLIER & WORD
    return h ^ h >> 15


def partition(key: bytes, count: int) -> int:
    """Which of `count` partitions a key goes to."""
    return (murmur2(key) & 0x7FFFFFFF) % count
