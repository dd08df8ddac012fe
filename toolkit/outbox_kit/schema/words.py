"""Words and limits that the parts of a schema file share."""

import re

TOPIC_CHARACTERS = re.compile(r"[A-Za-z0-9._-]+")
LONGEST_TOPIC = 249  # Kafka's own limit
LONGEST_NAME = 63  # PostgreSQL cuts longer identifiers without a word
LONGEST_TABLE = LONGEST_NAME - len("_null_payload_is_a_tombstone")  # the longest name made of the table's
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")

CANARY_AGGREGATE = "outbox-kit.canary"  # kept for the rows that prove a deployment
CANARY_TYPE = "Canary"
