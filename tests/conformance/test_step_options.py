"""What `check` says of the options of a transformation or a predicate against the real class, option by option."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jpype
import pytest

from outbox_kit.lint.document import Document
from outbox_kit.lint.rule import RULES
from outbox_kit.lint.subject import Subject
from outbox_kit.router import options
from outbox_kit.router.options import OptionCatalogue
from outbox_kit.versions import Version
from tests.support.jvm import ALL, java_map, made

LINE, RELEASE = "3.6.1.Final", Version.of("3.6.1")
VALUES = ("abc", "-1", "0", "a.b.c", "a:b", "a,b", "(a", "*", "true", "5", "1.5")
PLAUSIBLE = {
    "operation": "copy",
    "topic.regex": "(.*)",
    "converted.timezone": "UTC",
    "target.type": "unix",
    "spec": "a:int32",
    "max.bytes": "5",
    "schema.change.event.exclude.list": "DROP",
    "partition.topic.num": "3",
}
"""A value of an option that is required; others take any text."""
IN_OTHER_JARS = ("Filter", "ContentBasedRouter", "Neo4jCudConverter", "TimescaleDb")
JUDGES = (
    *("invalid-value", "transformation-option-missing", "predicate-option-missing"),
    "lists-of-different-length",
)
UNCHECKED = {
    *("replace.null.with.default", "tracing.with.context.field.only", "fields.null.include"),
    "delete.tombstone.handling.mode.rewrite-with-id",
    "compression.ratio",
}
"""Flags of which the real class takes any other word for false, and a number that is positive."""


def refused(kind: str, values: Mapping[str, str]) -> str:
    """Why the real class refuses to be configured; empty if it does not."""
    step = made(kind, LINE, ALL)
    try:
        step.configure(java_map(values))
    except jpype.JException as cause:
        return str(cause)
    return ""


def reported(kind: str, values: Mapping[str, str], source: str) -> set[str]:
    """The rules that report an option of it."""
    prefix = f"{source}.x."
    config = {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        source: "x",
        f"{prefix}type": kind,
        **{f"{prefix}{name}": value for name, value in values.items()},
    }
    subject = Subject("shop.json", Document("json", "shop", config, {}), RELEASE)
    violations = [(rule, each) for rule in JUDGES for each in RULES.rules[rule].check(subject)]
    return {rule for rule, each in violations if (each.unset or each.key).startswith(prefix)}


def described(source: str) -> Iterator[Any]:
    for kind, catalogue in options.classes(source).items():
        since, until = (catalogue.facts.get(bound) for bound in ("since", "until"))
        exists = until is None and (since is None or Version.of(since) <= RELEASE)
        if exists and not kind.endswith(IN_OTHER_JARS):
            yield pytest.param(source, kind, catalogue, id=kind.rsplit(".", 1)[-1])


def base(facts: Mapping[str, Any]) -> dict[str, str]:
    names = [*facts.get("required", ()), *facts.get("one_of", ())[:1]]
    return {name: PLAUSIBLE.get(name, "a") for name in names}


def differences(kind: str, source: str, configs: Sequence[Mapping[str, str]]) -> list[Any]:
    judged = [(config, refused(kind, config), reported(kind, config, source)) for config in configs]
    return [each for each in judged if bool(each[1]) != bool(each[2])]


@pytest.mark.parametrize(("source", "kind", "catalogue"), [*described("transforms"), *described("predicates")])
def test_each_value_is_refused_by_both_or_by_neither(source: str, kind: str, catalogue: OptionCatalogue) -> None:
    healthy = base(catalogue.facts)
    assert refused(kind, healthy) == "" and reported(kind, healthy, source) == set()
    lacking = [{name: value for name, value in healthy.items() if name != lacked} for lacked in healthy]
    names = [option for option in catalogue.options.values() if option.is_supported(RELEASE)]
    values = [
        healthy | {option.name: value}
        for option in names
        if option.name not in UNCHECKED and option.type != "class"
        for value in dict.fromkeys([*VALUES, *option.values_at(RELEASE)])
    ]
    assert differences(kind, source, [*lacking, *values]) == []
