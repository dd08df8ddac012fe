"""outbox-kit: one schema file, from which everything about a transactional outbox follows."""

__version__ = "0.1.0"
