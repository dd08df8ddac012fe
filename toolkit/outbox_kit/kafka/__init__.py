"""Kafka: bounded reading and the questions that need an admin client. The only speaker of confluent_kafka."""
