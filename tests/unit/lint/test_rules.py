"""Every rule finds what it is there for, and is silent where nothing is wrong."""

import json
from pathlib import Path

import pytest

from outbox_kit.lint import run
from outbox_kit.lint.outboxes import from_schema_file
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.subjects import acquainted, from_configs
from outbox_kit.schema.read import read
from outbox_kit.versions import Version
from tests.unit.lint.cases import CASES, HEALTHY, Case

SMALL = "service: shop\ndatabase: {dialect: postgres, name: shop}\n"


def subjects(case: Case, folder: Path) -> list[Subject]:
    release = Version.of(case.release)
    if case.schema:
        path = folder / "outbox.yaml"
        path.write_text(SMALL + case.schema)
        return acquainted(from_schema_file(read(path), release))
    texts = [case.text or json.dumps({"name": "shop", "config": case.config()})]
    if case.beside is not None:
        texts.append(json.dumps({"name": "shop", "config": case.other()}))
    return acquainted([one for n, text in enumerate(texts) for one in from_configs(text, f"{n}.json", release)])


def found(case: Case, folder: Path) -> set[str]:
    return {one.rule.id for one in run.check(subjects(case, folder))}


@pytest.mark.parametrize("rule", sorted(CASES))
def test_it_finds_its_flaw(rule: str, tmp_path: Path) -> None:
    assert rule in found(CASES[rule], tmp_path)


@pytest.mark.parametrize("dialect", sorted(HEALTHY))
@pytest.mark.parametrize("release", ["3.5", "3.6", "3.7"])
def test_a_healthy_config_has_no_flaw(dialect: str, release: str, tmp_path: Path) -> None:
    assert found(Case(on=dialect, release=release), tmp_path) == set()


def test_every_rule_has_a_case() -> None:
    assert set(CASES) == set(run.catalogue())


@pytest.mark.parametrize("rule", run.catalogue().values(), ids=lambda rule: rule.id)
def test_a_rule_says_what_why_and_what_to_do(rule: run.Rule) -> None:
    assert rule.title.endswith(".")
    assert not rule.why or rule.why.endswith(".")
    assert rule.fix
    assert not rule.fix.endswith(".")
    assert rule.evidence
