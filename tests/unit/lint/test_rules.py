"""Every rule finds what it is there for, and is silent where nothing is wrong."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from outbox_kit.adopt.rule import RULES as ADOPT_RULES
from outbox_kit.assets import CONNECTORS
from outbox_kit.findings.policy import Policy
from outbox_kit.findings.rule import Rule
from outbox_kit.lint import run
from outbox_kit.lint.outboxes import from_schema_file
from outbox_kit.lint.rule import RULES, ConfigRule
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.subjects import with_peers
from outbox_kit.lint.texts import from_text
from outbox_kit.router import options
from outbox_kit.router.options import OptionCatalogue
from outbox_kit.schema.read import read
from outbox_kit.versions import Version
from tests.unit.lint.cases import CASES, HEALTHY, SERVER, Case

SMALL = "service: shop\ndatabase: {dialect: postgres, name: shop}\n"


def subjects(case: Case, folder: Path) -> list[Subject]:
    release = Version.of(case.release)
    if case.schema:
        path = folder / "outbox.yaml"
        path.write_text(SMALL + case.schema)
        return with_peers(from_schema_file(read(path), release))
    texts = [case.text or json.dumps({"name": "shop", "config": case.config()})]
    if case.beside is not None:
        texts.append(json.dumps({"name": case.name_beside, "config": case.other()}))
    return with_peers([one for n, text in enumerate(texts) for one in from_text(text, f"{n}{case.suffix}", release)])


def found(case: Case, folder: Path, *selected: str) -> set[str]:
    policy = Policy(selected=frozenset(selected) if selected else None)
    return {one.rule.id for one in run.check(subjects(case, folder), policy)}


@pytest.mark.parametrize("rule", sorted(CASES))
def test_it_finds_its_flaw(rule: str, tmp_path: Path) -> None:
    expected = {rule} if rule != "left-at-default" else {"left-at-default", *found(CASES[rule], tmp_path)}
    assert found(CASES[rule], tmp_path, *([rule] if rule != "left-at-default" else [])) == expected


@pytest.mark.parametrize("dialect", sorted(HEALTHY))
@pytest.mark.parametrize("release", ["3.5", "3.6", "3.7"])
def test_a_healthy_config_has_no_flaw(dialect: str, release: str, tmp_path: Path) -> None:
    assert found(Case(on=dialect, release=release), tmp_path) == set()


def test_every_rule_has_a_case() -> None:
    assert set(CASES) == set(RULES.rules)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_what_why_and_what_to_do(rule: ConfigRule) -> None:
    assert rule.title and not rule.title.endswith(".")
    assert not rule.why or rule.why.endswith(".")
    assert rule.fix
    assert not rule.fix.endswith(".")
    assert rule.evidence
    assert set(rule.symptoms) <= set(YAML(typ="safe").load(CONNECTORS / "evidence.yaml"))


def test_a_storage_of_the_position_needs_its_options_too(tmp_path: Path) -> None:
    storage = f"{SERVER}debezium.source.offset.storage=io.debezium.storage.redis.offset.RedisOffsetBackingStore\n"
    assert "storage-incomplete" in found(Case(text=storage, suffix=".properties"), tmp_path)
    of_sink = "debezium.sink.type=redis\ndebezium.sink.redis.address=redis:6379\n"
    assert "storage-incomplete" not in found(Case(text=storage + of_sink, suffix=".properties"), tmp_path)


# what docs of the field's mishaps say a linter can find; each has a rule that cites it
SYMPTOMS = """
A01 A02 A03 A04 A05 A06 A08 A09 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A22 A24 B01 B03 B04 B06 C02 C03 C05 C06 C07 C08
C10 D01 D02 D04 D05 D06 D10 D13 E01 E03 E04 F01 F02 F05 F06 F08 F09 F10 G01 G03 G04 G09 G10 G12 G13 G15 H01 H02 H03 H05
H06 H07 I01 I04 I06 I07 I12 I14 J01 J02 J06 J07 J08 J09 J10 J11 K01 K02 K03 K05 L01 L03 L04 L07 M03 M04 N03 N04 N05 N08
N10 N12 N13
"""


@pytest.mark.parametrize("symptom", SYMPTOMS.split())
def test_every_symptom_that_can_be_linted_has_a_rule(symptom: str) -> None:
    assert any(symptom in rule.symptoms for rule in RULES)


def test_an_event_without_a_sample_hides_no_other(tmp_path: Path) -> None:
    none = "payload: {type: object, required: [a], properties: {a: {type: string, pattern: '^(?=x)y$'}}}"
    events = f"events:\n  - {{type: Odd, aggregate: Order, {none}}}\n  - {{type: Placed, aggregate: Order}}\n"
    override = "connect: {config: {transforms.outbox.route.topic.replacement: elsewhere}}\n"
    assert "topic-override" in found(Case(schema=events + override), tmp_path)


def test_topics_are_those_that_raw_options_give(tmp_path: Path) -> None:
    events = "events: [{type: Placed, aggregate: Order}]\n"
    override = "connect: {config: {transforms.outbox.route.topic.replacement: %s}}\n"
    other = "---\nservice: billing\ndatabase: {dialect: postgres, name: billing}\n" + events
    apart = found(Case(schema=events + other + override % "billing.$1"), tmp_path)
    assert "shared-topic" not in apart and "unexpected-topic" not in apart
    one = events + override % "all" + other + override % "all"
    assert "shared-topic" in found(Case(schema=one), tmp_path)
    several = "events: [{type: Placed, aggregate: a.b}, {type: Left, aggregate: a-b}]\n"
    topic = "transforms.outbox.route.topic"
    regex = f"connect: {{config: {{{topic}.regex: 'a(.)b', {topic}.replacement: x$1y}}}}\n"
    assert "topic-name-collision" not in found(Case(schema=several), tmp_path)
    assert "topic-name-collision" in found(Case(schema=several.replace("a-b", "a_b") + regex), tmp_path)


# phrases that docs/language.md replaces
PHRASES = re.compile(
    r"\b(?:is no (?!longer)|is none|none of (?:ours|these)|first read|by itself|somebody|anybody|nobody|whoever|"
    r"whenever|told|said|spoken of|without a word|in the way|looked at|looked for|of ours|of theirs|this kit|"
    r"forgets?|mends?|take it out|holds? back|as it stands|no news|not well)\b"
)


def catalogues() -> Iterator[OptionCatalogue]:
    """Every list of options."""
    for name in (*options.CONNECTOR_FILES, "router", "mongo-router", "connect", "producer", "worker"):
        yield options.catalogue(name)
    for source in ("transforms", "converters", "predicates"):
        yield from options.classes(source).values()


def prose() -> Iterator[tuple[str, str]]:
    """The texts of rules and options, each with its name."""
    for rule in (*RULES, *ADOPT_RULES):
        yield from ((rule.id, text) for text in (rule.title, rule.why, rule.fix))
    for catalogue in catalogues():
        for option in catalogue.options.values():
            yield from ((option.name, text) for text in (option.why, option.note, *option.risks.values()))


def test_texts_are_in_plain_language() -> None:
    assert [(name, text) for name, text in prose() if PHRASES.search(text)] == []


@pytest.mark.parametrize("rule", [*RULES, *ADOPT_RULES], ids=lambda rule: rule.id)
def test_a_title_is_a_condition_in_lower_case(rule: Rule) -> None:
    assert rule.title[0].islower() and not rule.title.endswith(".")
