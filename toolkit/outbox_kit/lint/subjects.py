"""From a file's text to what the rules look at."""

from collections.abc import Sequence
from dataclasses import replace

from outbox_kit.lint.formats import documents
from outbox_kit.lint.subject import Subject
from outbox_kit.versions import Version

USUAL = Version.of("3.6")


def from_configs(text: str, source: str, target: Version | None) -> list[Subject]:
    """The connector configs of a file. Raises BadConfigFile.

    target: the Debezium release; if None, that of the kind of config, else 3.6.
    """
    return [
        Subject(source, document, target or (Version.of(document.release) if document.release else USUAL))
        for document in documents(text, source)
    ]


def with_peers(subjects: Sequence[Subject]) -> list[Subject]:
    """The same subjects, each knowing the others; one that stands in two files, as generated and as kept, is one.

    Configs in a page are examples, often of the same connector.
    """
    deployed = [subject for subject in subjects if not subject.is_of_page]
    return [
        subject
        if subject.is_of_page
        else replace(subject, peers=tuple(peer for peer in deployed if peer.config != subject.config))
        for subject in subjects
    ]
