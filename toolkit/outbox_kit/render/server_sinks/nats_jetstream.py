"""NATS JetStream: a message on the subject with the topic's name. A stream has to capture it and the heartbeats'."""

from outbox_kit.render.server_sink import ServerSink

SINK = ServerSink(
    "nats-jetstream",
    {
        "url": "${NATS_URL}",
        "auth.user": "${NATS_USER}",
        "auth.password": "${NATS_PASSWORD}",
        "create-stream": "false",
    },
    sends_tombstones=False,
)
