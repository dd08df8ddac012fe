"""Redis Streams: an entry of the stream with the topic's name, with the fields `key`, `value` and the headers."""

from outbox_kit.render.server_sink import EMPTY, ServerSink

SINK = ServerSink(
    "redis",
    {
        "address": "${REDIS_ADDRESS}",
        "user": "${REDIS_USER:default}",
        "password": "${REDIS_PASSWORD}",
        "message.format": "extended",
        "null.key": EMPTY,
        "null.value": EMPTY,
    },
    key_as_header=False,
)
