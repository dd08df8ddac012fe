"""How a topic and the schema file get the same number of partitions. Pure."""

from collections.abc import Collection


def partitions_fix(topic: str, count: int, numbers: Collection[int]) -> str:
    """The next step for a topic with another number of partitions than the schema file declares.

    count: the topic's partitions. numbers: those of all event topics. The schema file has one number, so all topics
    need the largest: partitions cannot be taken away.
    """
    largest = max(numbers)
    if count == largest:
        return f"set connect.topics.partitions: {count} in the schema file"
    return (
        f"the event topics have {' and '.join(map(str, sorted(numbers)))} partitions: set "
        f"connect.topics.partitions: {largest}, and add partitions to this topic: kafka-topics.sh --alter "
        f"--topic {topic} --partitions {largest}; keys move to other partitions, and their order is not kept"
    )
