"""Words and limits that the parts of a schema file share."""

import re

TOPIC_CHARACTERS = re.compile(r"[A-Za-z0-9._-]+")
LONGEST_TOPIC = 249  # Kafka's own limit
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
GROUP = re.compile(r"[1-9]")  # of a routing pattern, named in a placeholder
HTTP_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
OF_HTTP = {  # headers that are the client's own, or another hop's
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
}

SINK_TITLES = {"kafka": "Kafka", "rabbitmq": "RabbitMQ", "http": "the HTTP service"}
"""What a relay can publish to, and its name in prose."""
CANARY_AGGREGATE = "outbox-kit.canary"  # kept for the rows that prove a deployment
CANARY_TYPE = "Canary"


def is_http_header(name: str) -> bool:
    """Whether an event may have a header of this name over HTTP."""
    return HTTP_TOKEN.fullmatch(name) is not None and name.lower() not in OF_HTTP
