"""`config`: every setting of a schema file that holds in an environment, and where it is from."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from outbox_kit import secret
from outbox_kit.cli import app
from outbox_kit.cli.options import DEFAULT_PATH, Env, Format, OutputFormat, SchemaPath, Service
from outbox_kit.cli.output import show, show_json

if TYPE_CHECKING:
    from outbox_kit.schema.effective import Setting
    from outbox_kit.schema.layers import Layers
    from outbox_kit.schema.model import Outbox

RAW = "connect.config."


@app.command("config")
def config(
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    output: OutputFormat = Format.text,
) -> None:
    """Print every setting of the schema file, with the value that holds in the environment and where it is from."""
    from outbox_kit.schema.read import read

    schema = read(file, env)
    chosen = [schema.outbox(service)] if service else list(schema.outboxes)
    by_outbox = [
        (outbox, list(effective(outbox, layers)))
        for outbox, layers in zip(schema.outboxes, schema.layers, strict=True)
        if outbox in chosen
    ]
    if output is Format.json:
        outboxes = [
            {
                "service": outbox.service,
                "settings": [
                    {"path": each.path, "value": each.value, "source": each.source.value} for each in settings
                ],
            }
            for outbox, settings in by_outbox
        ]
        show_json({"schema": "outbox-kit/config/v1", "environment": env, "outboxes": outboxes})
        return
    for number, (_, settings) in enumerate(by_outbox):
        show("---" if number else "", nl=bool(number))
        show("".join(f"{each.path} = {each.value}{each.mark}\n" for each in settings), nl=False)


def effective(outbox: "Outbox", layers: "Layers") -> "Iterator[Setting]":
    """The settings of an outbox, without the secrets among its raw options."""
    from dataclasses import replace

    from outbox_kit.connect.redact import is_secret
    from outbox_kit.schema.effective import settings
    from outbox_kit.wire import connector

    whole = connector.config(outbox)
    for setting in settings(outbox, layers):
        option = setting.path.removeprefix(RAW)
        hides = option != setting.path and is_secret(option, whole)
        yield replace(setting, value=secret.shown(setting.value, secret=hides))
