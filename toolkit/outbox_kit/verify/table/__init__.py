"""Comparing the topics with the outbox table, or with what an application says it published."""
