"""Converters of a record's value."""

from outbox_kit.router.convert import STORAGE

STRING = f"{STORAGE}StringConverter"
JSON = "org.apache.kafka.connect.json.JsonConverter"
BINARY = "io.debezium.converters.BinaryDataConverter"
CONVERTERS = (
    {"value.converter": STRING},
    {"value.converter": JSON, "value.converter.schemas.enable": "false"},
    {"value.converter": BINARY},
    {
        "value.converter": BINARY,
        "value.converter.delegate.converter.type": JSON,
        "value.converter.delegate.converter.type.schemas.enable": "false",
    },
)
