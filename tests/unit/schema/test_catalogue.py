"""The JSON Schema that editors find through a catalogue, in draft 7, means what the program's own schema means."""

import json
from pathlib import Path

import jsonschema_rs
import pytest
from ruamel.yaml import YAML

from tests.support.reference import catalogue_schema

EXAMPLES = Path(__file__).parents[2] / "examples"
VALIDATOR = jsonschema_rs.validator_for(json.loads(catalogue_schema()))


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.yaml")), ids=lambda path: path.stem)
def test_every_example_is_accepted(path: Path) -> None:
    for document in YAML(typ="safe", pure=True).load_all(path.read_text()):
        VALIDATOR.validate(document)


@pytest.mark.parametrize(
    "part",
    [
        {"servce": "x"},
        {"database": {"dialect": "db2"}},
        {"database": {}},
        {"table": {"retention": "never"}},
        {"connect": {"topics": {"partitions": 0}}},
    ],
)
def test_a_mistake_is_rejected_below_a_reference_too(part: dict[str, object]) -> None:
    minimal = {"service": "x", "database": {"dialect": "postgres"}, "events": [{"type": "A", "aggregate": "B"}]}
    assert VALIDATOR.is_valid(minimal)
    assert not VALIDATOR.is_valid(minimal | part)
