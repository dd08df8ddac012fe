"""Debezium's containers for tests: the options that their functions set. Pure."""

import re
from collections.abc import Iterator, Mapping

from outbox_kit import databases
from outbox_kit.lint.document import Entry
from outbox_kit.lint.placeholders import placeholder

BUILDERS: Mapping[str, tuple[str, ...]] = {
    "forJdbcContainer": ("database.hostname", "database.port", "database.user", "database.password", "database.dbname"),
    "forMongoDbReplicaSet": ("mongodb.connection.string",),
}
"""The functions, with the options that each takes from a container."""


def starts_container(text: str) -> bool:
    """Whether a program runs a connector on a container of its own, as tests do."""
    return any(function in text for function in BUILDERS)


def built(function: str, at: int, text: str) -> Iterator[Entry]:
    """The options that a function sets. at: where it is called. text: the program, which names the container."""
    names = BUILDERS[function]
    for name in names:
        yield Entry(name, placeholder(function), at)
    plain = re.sub(r"<[*?]?>", "", text)
    of_document = [each for each in databases.ALL.values() if each.capture.option_prefix == "collection"]
    of_tables = [each for each in databases.ALL.values() if each.capture.test_container]
    fitting = [each for each in of_tables if re.search(rf"{each.capture.test_container}[.(]", plain)]
    dialects = of_document if len(names) == 1 else fitting
    connector = dialects[0].capture.options["connector.class"] if len(dialects) == 1 else placeholder(function)
    yield Entry("connector.class", connector, at)
