"""What `check` says of an option's value against the validation of the real connectors, option by option."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import jpype
import pytest

from outbox_kit.lint.document import Document
from outbox_kit.lint.rule import RULES
from outbox_kit.lint.subject import Subject
from outbox_kit.router import options
from outbox_kit.versions import Version
from tests.support.jvm import ALL, java_map, made

LINES = {
    **dict.fromkeys(("postgres", "mysql", "sqlserver", "oracle", "mongodb"), "3.6.1.Final"),
    "mariadb": "3.5.0.Final",
}
SOURCE = {
    "database.hostname": "db",
    "database.port": "5432",
    "database.user": "shop",
    "database.password": "${env:PASSWORD}",
    "topic.prefix": "shop",
}
HISTORY = {
    "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
    "schema.history.internal.kafka.topic": "history",
}
OF_MYSQL = SOURCE | HISTORY | {"database.server.id": "7"}
BASES: Mapping[str, Mapping[str, str]] = {
    "postgres": SOURCE | {"database.dbname": "shop", "plugin.name": "pgoutput"},
    "mysql": OF_MYSQL,
    "mariadb": OF_MYSQL,
    "sqlserver": SOURCE | HISTORY | {"database.names": "shop"},
    "oracle": SOURCE | HISTORY | {"database.dbname": "SHOP"},
    "mongodb": {"mongodb.connection.string": "mongodb://db/?replicaSet=rs", "topic.prefix": "shop"},
}
VALUES = ("", "abc", "-1", "0", "2147483648", "9" * 20, " 5 ", "(a", "a.b.c", "a:b", "1,2", "*")
JUDGES = ("invalid-value", "required-option-missing", "conflicting-options", "queue-not-larger", "invalid-host")
OF_POSTGRES = ("invalid-slot-name",)
LEFT = {
    "signal.data.collection",  # several of them: refused by the newest releases only
    "replica.identity.autoset.values",
    "field.exclude.list",  # MongoDB's, of which only the number of names is checked
    "field.renames",
    "secondary.hostname",  # Oracle's, which depends on the strategy
    "secondary.url",
    "log.mining.readonly.hostname",  # an alias of secondary.hostname
    "internal.log.mining.use.cte.query",
}
"""Options whose texts the linter does not check."""
UNCHECKED = ("log.mining.", "internal.log.mining.", "openlogreplicator.")
"""Options that Oracle's connector reads only when it starts, and fails then."""


@cache
def validation(name: str) -> tuple[Any, Any]:
    """A connector, and its own validation of all options, which asks no database."""
    connector = made(str(options.catalogue(name).facts["class"]), LINES[name], ALL)
    kind = connector.getClass()
    while kind is not None:
        for method in kind.getDeclaredMethods():
            abstract = jpype.JClass("java.lang.reflect.Modifier").isAbstract(method.getModifiers())
            if str(method.getName()) == "validateAllFields" and not abstract:
                method.setAccessible(True)
                return connector, method
        kind = kind.getSuperclass()
    raise AssertionError(name)


def _context(connector: Any) -> Any:
    """The class loader of a connector, in which it looks for classes."""
    loader = connector.getClass().getClassLoader()
    jpype.JClass("java.lang.Thread").currentThread().setContextClassLoader(loader)
    return loader


def refused(name: str, config: Mapping[str, str]) -> set[str]:
    """The options that the real connector refuses."""
    connector, method = validation(name)
    loader = _context(connector)
    kind = jpype.JClass(jpype.JClass("java.lang.Class").forName("io.debezium.config.Configuration", True, loader))
    try:
        checked = method.invoke(connector, kind.from_(java_map(config)))
    except jpype.JException:
        return {"all of them"}
    return {str(key) for key in checked.keySet() if checked.get(key).errorMessages().size()}


def reported(name: str, config: Mapping[str, str]) -> set[str]:
    """The options of which the linter says that the connector is refused."""
    document = Document("json", "shop", config, {})
    subject = Subject("shop.json", document, Version.of(LINES[name].removesuffix(".Final")))
    rules = [RULES.rules[rule] for rule in (*JUDGES, *(OF_POSTGRES if name == "postgres" else ()))]
    return {violation.unset or violation.key for rule in rules for violation in rule.check(subject)}


def base(name: str) -> dict[str, str]:
    return {"connector.class": str(options.catalogue(name).facts["class"]), **BASES[name]}


@pytest.mark.parametrize("name", LINES)
def test_a_healthy_config_is_refused_by_neither(name: str) -> None:
    assert refused(name, base(name)) == set() == reported(name, base(name))


@pytest.mark.parametrize("name", LINES)
def test_each_value_is_refused_by_both_or_by_neither(name: str) -> None:
    connector, _ = validation(name)
    _context(connector)
    keys = [str(key) for key in connector.config().configKeys().keySet()]
    keys = sorted(key for key in keys if "*" not in key and "(d+)" not in key and key not in LEFT)
    assert len(keys) > 60
    differences = []
    for key in keys:
        for value in VALUES:
            config = base(name) | {key: value}
            real, own = refused(name, config), reported(name, config)
            if bool(real) != bool(own) and (real or not key.startswith(UNCHECKED)):
                differences.append((key, value, sorted(real), sorted(own)))
    assert differences == []


@pytest.mark.parametrize("name", LINES)
def test_options_that_exclude_or_need_each_other_do_so_really(name: str) -> None:
    seen = 0
    for option in options.catalogue(name).options.values():
        if not option.is_supported(Version.of(LINES[name].removesuffix(".Final"))):
            continue
        for other in option.conflicts:
            config = base(name) | {option.name: "a.b.c", other: "a.b.c"}
            assert refused(name, config) == {option.name} == reported(name, config)
            seen += 1
        for value, needed in option.requires.items():
            config = base(name) | {option.name: value}
            assert refused(name, config) >= {*needed}, (option.name, value)
            assert reported(name, config) >= {*needed}
            seen += 1
    assert seen > 1
