"""Words and limits that the parts of a schema file share."""

import re

TOPIC_CHARACTERS = re.compile(r"[A-Za-z0-9._-]+")
LONGEST_TOPIC = 249  # Kafka's own limit
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
GROUP = re.compile(r"[1-9]")  # of a routing pattern, named in a placeholder

CANARY_AGGREGATE = "outbox-kit.canary"  # kept for the rows that prove a deployment
CANARY_TYPE = "Canary"
