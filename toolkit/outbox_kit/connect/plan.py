"""What a deployment would change: live config against wanted, key by key. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from outbox_kit import secret
from outbox_kit.connect.redact import is_secret
from outbox_kit.errors import UnsafeChange

# what a change of a key does beyond a restart; the first match holds (facts measured on Kafka Connect 4.3)
IMPACTS = (
    (
        "position",
        "the stored position is lost or no longer fits: everything is sent again, or a gap opens",
        r"topic\.prefix|slot\.name|database\.(dbname|names|server\.id)|snapshot\.mode|offset\..*|"
        r"schema\.history\.internal\.kafka\.topic",
    ),
    (
        "wire",
        "messages look different or go elsewhere: consumers and the order of each key are affected",
        r"(key|value|header)\.converter.*|binary\.handling\.mode|"
        r"transforms\..*\.(table\.field\.event\.(id|key|payload)|table\.fields\.additional\.placement|route\..*|"
        r"table\.expand\..*|type)|transforms|extended\.headers\.enabled",
    ),
    (
        "loss",
        "events may be dropped without a word",
        r"errors\.tolerance|slot\.drop\.on\.stop|publication\.(name|autocreate\.mode)|table\.include\.list|"
        r"skipped\.operations|predicates.*|transforms\..*\.(predicate|negate)",
    ),
)
_PATTERNS = tuple((impact, why, re.compile(pattern)) for impact, why, pattern in IMPACTS)
MASKED = re.compile(r"\*{3,}|•{3,}|\[hidden\]")


@dataclass(frozen=True)
class Edit:
    """One key that changes; before or after is None where it is new or goes. impact: restart, wire, position, loss.

    secret: whether its values are not shown.
    """

    key: str
    before: str | None
    after: str | None
    impact: str = "restart"
    why: str = ""
    secret: bool = False

    @property
    def sign(self) -> str:
        """+ for a new key, - for one that goes, ~ for a new value."""
        return "+" if self.before is None else "-" if self.after is None else "~"

    def shown(self, value: str | None) -> str | None:
        """A value for display: a reference as it is, any other secret hidden."""
        return None if value is None else secret.shown(value, secret=self.secret)

    def line(self) -> str:
        """The edit as one line."""
        change = " -> ".join(v for v in (self.shown(self.before), self.shown(self.after)) if v is not None)
        return f"{self.sign} {self.key} = {change}" + ("" if self.impact == "restart" else f"   [{self.impact}]")


def between(live: Mapping[str, str] | None, wanted: Mapping[str, str]) -> list[Edit]:
    """The edits that lead from the live config to the wanted one, by key; a new connector's are all harmless.

    A live value that is masked is taken as equal: nobody can say, and it must not be written back.
    """
    held = live or {}
    edits, then, now = [], {**wanted, **held}, {**held, **wanted}
    for key in sorted(held.keys() | wanted.keys()):
        before, after = held.get(key), wanted.get(key)
        if before == after or (before is not None and after is not None and MASKED.fullmatch(before)):
            continue
        impact, why = _impact(key) if live is not None else ("restart", "")
        hides = is_secret(key, then) or is_secret(key, now)
        edits.append(Edit(key, before, after, impact, why, hides))
    return edits


def refuse_unsafe(connector: str, edits: Sequence[Edit]) -> None:
    """Raise UnsafeChange where an edit does more than restart the connector."""
    unsafe = [edit for edit in edits if edit.impact != "restart"]
    if unsafe:
        raise UnsafeChange(
            f"{len(unsafe)} of {len(edits)} changes to '{connector}' do more than restart it; nothing was changed",
            fix="read them, then repeat with --allow-destructive",
            details=[f"  {edit.line()}\n      {edit.why}" for edit in unsafe],
        )


def _impact(key: str) -> tuple[str, str]:
    return next(((impact, why) for impact, why, pattern in _PATTERNS if pattern.fullmatch(key)), ("restart", ""))
