"""Delivery by Debezium: a connector in Kafka Connect, and a replication slot where the database has slots."""
