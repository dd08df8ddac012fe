"""`verify diff`: whether a change of the schema file breaks those who read the events."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from outbox_kit.cli.options import Format, OutputFormat
from outbox_kit.cli.output import show
from outbox_kit.cli.verify import verify_app


class PolicyChoice(StrEnum):
    """What is taken for granted about writers and readers."""

    tolerant = "tolerant"
    strict = "strict"


@verify_app.command("diff")
def diff(
    old: Annotated[Path, typer.Argument(help="The schema file as it was.")],
    new: Annotated[Path, typer.Argument(help="The schema file as it will be.")],
    policy: Annotated[
        PolicyChoice,
        typer.Option(
            help="tolerant: readers skip members they do not know. strict: anything not forbidden is written."
        ),
    ] = PolicyChoice.tolerant,
    output: OutputFormat = Format.text,
) -> None:
    """Say whether a change of the schema file breaks those who read the events, with a value that shows it.

    Payload, key, partition, headers and topic are compared, as they arrive and as they are declared.

    Exit code 0: it does not. 1: it does. 3: it cannot be said.
    """
    from outbox_kit.compat import words
    from outbox_kit.compat.diff import changes
    from outbox_kit.compat.schemas import Policy
    from outbox_kit.schema.read import read
    from outbox_kit.verify.verdict import EXIT_CODES, worst

    found = changes(read(old).outboxes, read(new).outboxes, Policy(policy.value))
    show(words.document(found) if output is Format.json else words.text(found), nl=False)
    raise typer.Exit(EXIT_CODES[worst(change.severity for change in found)])
