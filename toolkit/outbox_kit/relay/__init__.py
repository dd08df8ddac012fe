"""The relay: publishes an outbox's events without Debezium, as the messages that Debezium would publish."""
