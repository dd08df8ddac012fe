"""The sources of rules: connectors/evidence.yaml, by the symptoms that a rule cites."""

from collections.abc import Mapping, Sequence
from functools import cache

from outbox_kit import data_file
from outbox_kit.assets import CONNECTORS

WORDS = ("measured", "source", "documentation", "public configs", "judgement")


def sources(symptoms: Sequence[str]) -> tuple[str, ...]:
    """Issue threads, and words such as `measured`: each once, the threads first."""
    urls = dict.fromkeys(source for symptom in symptoms for source in _sources().get(symptom, ()))
    return tuple(sorted(urls, key=lambda source: source in WORDS))


@cache
def _sources() -> Mapping[str, Sequence[str]]:
    by_symptom: Mapping[str, Sequence[str]] = data_file.values(CONNECTORS / "evidence.yaml")
    return by_symptom
