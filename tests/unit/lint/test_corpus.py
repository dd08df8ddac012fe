"""Public configs, and what is wrong with each."""

import json
from io import StringIO

import pytest
from ruamel.yaml import YAML

from outbox_kit.findings.rule import Severity
from outbox_kit.lint import run
from outbox_kit.lint.subjects import from_configs, with_peers
from outbox_kit.versions import Version
from tests.unit.lint.corpus import CORPUS, Public


def text(public: Public) -> str:
    """The file that holds it."""
    if not public.strimzi:
        return json.dumps({"name": "outbox-connector", "config": public.config}, indent=2)
    out, config = StringIO(), {k: v for k, v in public.config.items() if k != "connector.class"}
    spec = {"class": public.config["connector.class"], "tasksMax": 1, "config": config}
    resource = {"apiVersion": "kafka.strimzi.io/v1beta2", "kind": "KafkaConnector"}
    YAML().dump({**resource, "metadata": {"name": "outbox-connector"}, "spec": spec}, out)
    return out.getvalue()


@pytest.mark.parametrize("name", CORPUS)
def test_each_flaw_is_found_and_what_is_well_done_is_left_alone(name: str) -> None:
    public = CORPUS[name]
    found = run.check(from_configs(text(public), name, Version.of(public.release)))
    rules = {one.rule.id for one in found}
    assert public.finds <= rules
    assert not public.silent & rules
    errors = sorted(one.rule.id for one in found if one.severity is Severity.error)
    assert bool(errors) is public.errors, errors


def test_one_name_for_two_databases_is_found() -> None:
    one = from_configs(text(CORPUS["C14"]), "a.json", None)
    other = from_configs(text(CORPUS["C16"]), "b.json", None)
    assert "duplicate-connector-name" in {found.rule.id for found in run.check(with_peers([*one, *other]))}
