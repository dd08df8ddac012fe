"""NATS JetStream: a message on the subject with the topic's name.

A stream has to capture the subjects of the events and of the heartbeats. A header must be ASCII: the server stops at
another one. So the key, which may be any text, is not sent as a header.
"""

from outbox_kit.render.server_sink import ServerSink

SINK = ServerSink(
    "nats-jetstream",
    {
        "url": "${NATS_URL}",
        "auth.user": "${NATS_USER}",
        "auth.password": "${NATS_PASSWORD}",
        "create-stream": "false",
    },
    key_as_header=False,
    sends_tombstones=False,
)
