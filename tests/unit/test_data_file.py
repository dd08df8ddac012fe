"""The outbox-kit's own data in YAML is read as a complete reader reads it."""

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from outbox_kit import data_file
from outbox_kit.assets import CONNECTORS

FILES = sorted([*CONNECTORS.glob("*.yaml"), *(CONNECTORS / "columns").glob("*.yaml")])


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(CONNECTORS)))
def test_the_values_are_those_of_a_complete_reader(file: Path) -> None:
    assert data_file.values(file) == YAML(typ="safe").load(file.read_text(encoding="utf-8"))
