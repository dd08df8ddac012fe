"""The reason for each option of a connector's config. Pure."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from outbox_kit import secret
from outbox_kit.router import options
from outbox_kit.schema.model import Outbox
from outbox_kit.wire import order
from outbox_kit.wire.connector import config

WIDTH = 110  # characters of a line of reasons
INDENT = " " * 6


@dataclass(frozen=True)
class ExplainedOption:
    """An option of the connector with the reason for it."""

    group: str
    """The group of options that it belongs to, such as `router`."""
    name: str
    value: str
    """The value as it is shown; a secret is not."""
    why: str


def explain(outbox: Outbox) -> Iterator[ExplainedOption]:
    """Each option with its value and the reason for it, by group; secrets are not shown."""
    connector_config = config(outbox)
    for name, value in connector_config.items():
        option = options.resolve(connector_config, name).option
        note = "Set in the schema file." if name in outbox.connect.config else ""
        value_shown = secret.shown(value, secret=options.holds_secret(connector_config, name))
        yield ExplainedOption(
            order.group(name), name, value_shown, " ".join(filter(None, [note, option.why if option else ""]))
        )


def table(options_explained: Sequence[ExplainedOption]) -> Iterator[str]:
    """The explained options as lines: a heading for each group, and below it names, values and reasons."""
    for group, members in groupby(options_explained, key=lambda option: option.group):
        yield f"{group}:"
        for option in members:
            yield f"  {option.name} = {option.value}"
            yield from textwrap.wrap(option.why, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
        yield ""
