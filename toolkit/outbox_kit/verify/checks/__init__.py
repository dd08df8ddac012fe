"""The checks of `verify`, one module a family: a check is defined once, with its texts, its weight and its needs.

`CHECKS` lists the modules of this package. Reports, the documentation and `outbox-kit explain` read nothing else.
"""

from dataclasses import dataclass

from outbox_kit.findings.rule import Rule, RuleCatalogue, Severity
from outbox_kit.verify.needs import Need

ERROR, INCONCLUSIVE, WARNING, INFO = Severity


@dataclass(frozen=True, kw_only=True)
class Check(Rule):
    """A check of messages, topics, the table or the connector."""

    condition: bool = False
    """Whether it is about a topic or the run, and not about single records: a follower reports it when it begins."""


COMPARE = "compare what runs with the schema file: outbox-kit plan; restart a relay"
"""The fix of a message that a connector or relay publishes in another way."""
CHECKS = RuleCatalogue("verify", __name__, Check)


def needs(*needs: Need) -> frozenset[Need]:
    """The needs of a check of a run that ended."""
    return frozenset({Need.finished, *needs})


ENDED = needs()
CLUSTER = needs(Need.cluster)
RECORDS = needs(Need.read, Need.records)
EVENTS = needs(Need.read, Need.events)
DOCUMENTS = EVENTS | {Need.documents}
TABLE = needs(Need.read, Need.table)
SETTINGS = needs(Need.settings)
