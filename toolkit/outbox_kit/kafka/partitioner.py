"""Which partition a key goes to, as Kafka's Java producer and so Kafka Connect decide it; and who decides otherwise."""

from confluent_kafka import consistent, fnv1a, murmur2

OTHERS = {"librdkafka's default partitioner": consistent, "Sarama's default partitioner": fnv1a}  # CRC32, and FNV-1a


def partition_of(key: bytes, partitions: int) -> int:
    """The partition of a key among so many: murmur2, made positive, modulo their number."""
    return int(murmur2(key, partitions))


def partitioner(key: bytes, partition: int, partitions: int) -> str:
    """Which other client's partitioner puts a key into a partition of so many; none if it is not a known one.

    By one key it can be chance; by several it is not.
    """
    return next((name for name, hashed in OTHERS.items() if hashed(key, partitions) == partition), "")
