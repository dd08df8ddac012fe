"""From a text under a file's name, as an editor, stdin or a file gives it, to what the rules examine."""

from dataclasses import replace
from pathlib import Path

from outbox_kit.errors import UsageProblem, noted
from outbox_kit.lint import formats, subjects
from outbox_kit.lint.document import START, Document
from outbox_kit.lint.excerpt import spot_of
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.subjects import USUAL
from outbox_kit.lint.suppressions import suppressions
from outbox_kit.lint.words import names_connector
from outbox_kit.schema.overlay_file import refuse_overlay_text
from outbox_kit.versions import Version


def from_text(text: str, name: str, release: Version | None, env: str | None = None) -> list[Subject]:
    """The configs of a schema file or of a file with connector configs, which do not know each other yet.

    name: of the file, in findings. release: the Debezium release; None for the file's own. env: the environment of a
    schema file. Raises BadSchemaFile, BadConfigFile, UnknownName.
    """
    with noted(name):
        return _from_text(text, name, release, env)


def _from_text(text: str, name: str, release: Version | None, env: str | None) -> list[Subject]:
    if formats.is_schema_file(text):
        from outbox_kit.lint.outboxes import from_schema_file
        from outbox_kit.schema.read import read

        examined = from_schema_file(read(Path(name), env, text=text), release)
    else:
        refuse_overlay_text(Path(name), text)
        examined = subjects.from_configs(text, name, release)
    stated = suppressions(text)
    return [replace(subject, suppressions=stated, text=text) for subject in examined]


def concerns(text: str) -> bool:
    """Whether a text is a schema file or has a connector config, also one that cannot be read."""
    return formats.is_schema_file(text) or names_connector(text)


def unreadable(name: str, cause: UsageProblem) -> Subject:
    """What is examined of a file that cannot be read. name: of the file."""
    start = spot_of(cause.where.removeprefix(f"{name}:")) or START
    fault = ": ".join(filter(None, (cause.what.replace(f"'{name}'", "the file"), cause.why)))
    return Subject(name, Document("unreadable", None, {}, {}, start, fault=fault, verbatim=False), USUAL)
