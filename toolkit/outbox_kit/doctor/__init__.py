"""Findings about everything between the database and Kafka: rules over what was observed once."""
