"""Words and limits that the parts of a schema file share."""

from outbox_kit.lazy_pattern import lazy_pattern

TOPIC_CHARACTERS = lazy_pattern(r"[A-Za-z0-9._-]+")
LONGEST_TOPIC = 249  # Kafka's own limit
PLACEHOLDER = lazy_pattern(r"\{([^{}]*)\}")
GROUP = lazy_pattern(r"[1-9]")  # of a routing pattern, named in a placeholder
HTTP_TOKEN = lazy_pattern(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
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
