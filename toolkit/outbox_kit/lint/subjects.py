"""From a file's text to what the rules look at."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from outbox_kit.lint.formats import documents
from outbox_kit.lint.grouped import Grouped
from outbox_kit.lint.managed import as_connect
from outbox_kit.lint.stated import stated_release
from outbox_kit.lint.subject import Subject
from outbox_kit.versions import Version

USUAL = Version.of("3.6")


def from_configs(text: str, source: str, target: Version | None) -> list[Subject]:
    """The connector configs of a file. Raises BadConfigFile.

    target: the Debezium release; if None, that of the kind of config, else the one that the text names, else 3.6.
    """
    stated = None if target else stated_release(text)
    return [
        Subject(
            source,
            document,
            target or (Version.of(document.release) if document.release else stated or USUAL),
            names_release=stated is not None and document.release is None,
        )
        for document in map(as_connect, documents(text, source))
    ]


def with_peers(subjects: Sequence[Subject]) -> list[Subject]:
    """The same subjects, each knowing the others."""
    group, of_file = Grouped(subjects), by_file(subjects)
    return [
        replace(
            subject,
            group=group,
            neighbours=tuple(peer for peer in of_file[subject.source] if peer is not subject),
        )
        for subject in subjects
    ]


def by_file(subjects: Sequence[Subject]) -> Mapping[str, Sequence[Subject]]:
    """The subjects of each file, by its name."""
    of_file = dict[str, list[Subject]]()
    for subject in subjects:
        of_file.setdefault(subject.source, []).append(subject)
    return of_file
