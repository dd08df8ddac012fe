"""Topic, key, partition, headers and bytes of an outbox's events, under raw options too; nothing else answers that."""
