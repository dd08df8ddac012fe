"""HTTP: a POST for each message, heartbeats too, with the headers in Base64."""

from outbox_kit.render.server_sink import ServerSink

SINK = ServerSink(
    "http",
    {"url": "${SINK_URL}", "headers.encode.base64": "true"},
    sends_tombstones=False,
)
