"""The registry of options against what real connectors, routers, converters and clients say that they take."""

from typing import Any

import jpype
import pytest

from outbox_kit.router import options
from outbox_kit.router.chain import EVENT_ROUTER, MONGO_EVENT_ROUTER
from outbox_kit.router.options import Option, OptionCatalogue
from outbox_kit.versions import Version
from tests.support.jvm import ALL, class_of, start

CONNECTORS = {
    "postgres": ("2.7.4.Final", "3.5.0.Final", "3.6.1.Final", "3.7.0.Final"),
    "mysql": ("2.7.4.Final", "3.5.0.Final", "3.6.1.Final"),
    "mariadb": ("3.5.0.Final",),
    "sqlserver": ("3.5.0.Final", "3.6.1.Final"),
    "oracle": ("3.5.0.Final", "3.6.1.Final"),
    "mongodb": ("2.7.4.Final", "3.5.0.Final", "3.6.1.Final"),
}
ROUTERS = {
    "router": (EVENT_ROUTER, ("2.7.4.Final", "3.5.0.Final", "3.6.1.Final", "3.7.0.Final")),
    "mongo-router": (MONGO_EVENT_ROUTER, ("2.7.4.Final", "3.5.0.Final", "3.6.1.Final")),
}
KAFKA = "org.apache.kafka."
TYPES = {
    "STRING": {"string", "enum", "class", "regex", "list"},
    "LIST": {"list", "string", "regex"},
    "CLASS": {"class", "string"},
    "INT": {"int"},
    "SHORT": {"short", "int"},
    "LONG": {"long", "int"},
    "DOUBLE": {"double"},
    "BOOLEAN": {"boolean"},
    "PASSWORD": {"password"},
}


def keys(definition: Any) -> dict[str, Any]:
    """The options of a ConfigDef, by name."""
    return {str(key): definition.configKeys().get(key) for key in definition.configKeys().keySet()}


def default(key: Any) -> str | None:
    """A default as it would be written in a config; None if there is none."""
    nothing = jpype.JClass(f"{KAFKA}common.config.ConfigDef").NO_DEFAULT_VALUE
    if key.defaultValue is None or key.defaultValue == nothing:
        return None
    return str(jpype.JClass(f"{KAFKA}common.config.ConfigDef").convertToString(key.defaultValue, key.type()))


KNOWN = {
    "column.truncate.to.*.chars: list, really INT",  # its value is a list of columns; the number is in its name
    "collection.field.event.key: default aggregateid, really None",  # the default of the router that it hands over to
}


def disagreements(found: dict[str, Any], catalogue: OptionCatalogue, line: str) -> list[str]:
    """Where an option of the real thing is unknown to the registry, or otherwise there."""
    release = Version.of(line)
    said = []
    for name, key in sorted(found.items()):
        option = catalogue.find(name)
        if option is None or not option.is_supported(release):
            said.append(f"{name}: not in the registry at {line}")
        else:
            said += _unlike(option, key, release)
    return [one for one in said if one not in KNOWN]


def _unlike(option: Option, key: Any, release: Version) -> list[str]:
    said = []
    if option.type not in TYPES[str(key.type().toString())]:
        said.append(f"{option.name}: {option.type}, really {key.type()}")
    own, real = option.default_at(release), default(key)
    if (own or None) != (real or None) and "*" not in option.name:
        said.append(f"{option.name}: default {own}, really {real}")
    return said


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, lines in CONNECTORS.items() for line in lines])
def test_connectors(name: str, line: str) -> None:
    catalogue = options.catalogue(name)
    found = keys(class_of(str(catalogue.facts["class"]), line, ALL)().config())
    assert len(found) > 50
    assert disagreements(found, catalogue, line) == []


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, (_, lines) in ROUTERS.items() for line in lines])
def test_routers(name: str, line: str) -> None:
    found = keys(class_of(ROUTERS[name][0], line, ALL)().config())
    catalogue = options.catalogue(name)
    assert disagreements(found, catalogue, line) == []
    # the framework's, one that is read elsewhere, and one that is documented and not read
    others = {"type", "predicate", "field.name.adjustment.mode", "collection.op.invalid.behavior"}
    assert set(catalogue.names(Version.of(line))) - set(found) <= others


@pytest.mark.parametrize("name", ["transforms", "predicates", "converters"])
@pytest.mark.parametrize("line", ROUTERS["router"][1])
def test_transformations_predicates_and_converters(name: str, line: str) -> None:
    seen = 0
    for kind, catalogue in options.classes(name).items():
        definition = defined(kind, line)
        if definition is not None:
            seen += 1
            assert disagreements(keys(definition), catalogue, line) == [], kind
    assert seen >= 3


def defined(kind: str, line: str) -> Any:
    """What a class says that it takes; None if this release does not have it, or it says nothing."""
    for inner in ("", "$Value"):
        try:
            found = class_of(kind + inner, line, ALL)()
            return found.config() if hasattr(found, "config") else None
        except (jpype.JException, TypeError):
            continue
    return None


def test_the_clients_and_connect_itself() -> None:
    start()
    producer = keys(jpype.JClass(f"{KAFKA}clients.producer.ProducerConfig").configDef())
    assert disagreements(producer, options.catalogue("producer"), "3.6.1.Final") == []
    connect = keys(jpype.JClass(f"{KAFKA}connect.runtime.SourceConnectorConfig").configDef())
    assert disagreements(connect, options.catalogue("connect"), "3.6.1.Final") == []
