"""Which partition a key goes to, as Kafka's Java producer and so Kafka Connect decide it."""

from confluent_kafka import murmur2


def partition_of(key: bytes, partitions: int) -> int:
    """The partition of a key among so many: murmur2, made positive, modulo their number."""
    return int(murmur2(key, partitions))
