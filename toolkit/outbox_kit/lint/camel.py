"""Endpoints of Camel's components for Debezium, whose parameters are the options in camel case. Pure."""

from collections.abc import Iterator
from functools import cache

from outbox_kit import databases
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import Entry
from outbox_kit.lint.placeholders import placeholder
from outbox_kit.router import options as router_options

ENDPOINT = lazy_pattern(r"debezium-(?P<kind>\w+):(?P<name>[^?\s]*)\?(?P<query>\S+)")
CAPITAL = lazy_pattern(r"[A-Z]")
OWN_NAMES = {"offset.storage.file.name": "offset.storage.file.filename"}
"""Parameters that are not called like their option."""
OLD_HISTORY = "databaseHistory"
"""What begins the parameters of components before Camel 3.20, whose default is a file."""
HISTORY = "schema.history.internal"
RAW = "additionalProperties."


def entries(uri: str, at: int) -> Iterator[Entry]:
    """The options of a connector that an endpoint runs; nothing for another text. at: the offset of the endpoint."""
    match = ENDPOINT.match(uri)
    dialect = databases.ALL.get(match["kind"]) if match else None
    if match is None or dialect is None:
        return
    yield Entry("connector.class", dialect.capture.options["connector.class"], at)
    yield Entry("name", match["name"], at)
    options = dict[str, str]()
    for parameter in filter(None, match["query"].split("&")):
        name, _, value = parameter.partition("=")
        options[_option(name, dialect.name)] = value
    if f"&{OLD_HISTORY}" in f"&{match['query']}" and "required_unless" in router_options.catalogue(dialect.name).facts:
        options.setdefault(HISTORY, placeholder("default of Camel"))
    for option, value in options.items():
        yield Entry(option, value, at)


def _option(parameter: str, dialect: str) -> str:
    """The option that a parameter sets: `databaseHostname` is database.hostname. Camel ignores the case of letters."""
    if parameter.startswith(RAW):
        return parameter.removeprefix(RAW)
    name = CAPITAL.sub(lambda match: f".{match[0].lower()}", parameter)
    if name in OWN_NAMES:
        return OWN_NAMES[name]
    described = router_options.catalogue(dialect).options
    return name if name in described else _by_letters(dialect).get(parameter.lower(), name)


@cache
def _by_letters(dialect: str) -> dict[str, str]:
    """The options of a connector by their letters alone."""
    return {name.replace(".", ""): name for name in router_options.catalogue(dialect).options}
