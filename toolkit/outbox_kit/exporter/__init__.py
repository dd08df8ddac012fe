"""The figures of a running outbox: collected, compared with the thresholds of the schema file, and served."""
