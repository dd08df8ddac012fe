"""Where a rule's knowledge is from: connectors/evidence.yaml, by the symptoms that the rule cites."""

from collections.abc import Mapping, Sequence
from functools import cache

from ruamel.yaml import YAML

from outbox_kit.assets import CONNECTORS
from outbox_kit.lint.rule import Rule


def seen(rule: Rule) -> list[str]:
    """Issue threads, and words such as `measured`: each once, the threads first."""
    found = dict.fromkeys(source for symptom in rule.evidence for source in _sources().get(symptom, ()))
    return sorted(found, key=lambda source: source in WORDS)


WORDS = ("measured", "source", "documentation", "public configs", "judgement")


@cache
def _sources() -> Mapping[str, Sequence[str]]:
    found: Mapping[str, Sequence[str]] = YAML(typ="safe").load((CONNECTORS / "evidence.yaml").read_text("utf-8"))
    return found
