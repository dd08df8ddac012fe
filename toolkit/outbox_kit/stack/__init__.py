"""The local stack: PostgreSQL, Kafka and Kafka Connect with Debezium as plain processes on loopback."""

from outbox_kit.stack.stack import Stack

__all__ = ["Stack"]
