"""Kafka Connect: its REST client, the plan of a change, the deployment, and what its failures mean."""
