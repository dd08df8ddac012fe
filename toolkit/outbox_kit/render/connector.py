"""A connector's config as a file, and the reason for each of its options. Pure."""

import json
from collections.abc import Iterator

from outbox_kit import secret
from outbox_kit.router import options
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.connector import config


def document(outbox: Outbox) -> str:
    """The config as the file that Kafka Connect's REST API takes: name and config."""
    return json.dumps({"name": outbox.names.connector, "config": config(outbox)}, indent=2) + "\n"


def explain(outbox: Outbox) -> Iterator[tuple[str, str, str]]:
    """Each option with its value and the reason for it; secrets are not shown."""
    connector_config = config(outbox)
    for name, value in connector_config.items():
        option = options.resolve(connector_config, name).option
        note = "Set in the schema file." if name in outbox.connect.config else ""
        value_shown = secret.shown(value, secret=options.holds_secret(connector_config, name))
        yield name, value_shown, " ".join(filter(None, [note, option.why if option else ""]))
