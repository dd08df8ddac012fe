"""What a deployment would change: live config against wanted, key by key. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from outbox_kit import secret
from outbox_kit.connect.redact import is_secret
from outbox_kit.errors import UnsafeChange
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router import options
from outbox_kit.router.options import Effect
from outbox_kit.versions import Version
from outbox_kit.wire.order import in_order

MASKED = lazy_pattern(r"\*{3,}|•{3,}|\[hidden\]")
HARMLESS = (Effect.none, Effect.restart)


@dataclass(frozen=True)
class ConfigChange:
    """One key that changes."""

    key: str
    before: str | None
    """None where the key is new."""
    after: str | None
    """None where the key goes."""
    effect: Effect = Effect.restart
    """The effect of the change on a running connector."""
    secret: bool = False
    """Whether its values are not shown."""

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
        return f"{self.sign} {self.key} = {change}" + (
            "" if self.effect is Effect.restart else f"   [{self.effect.name}]"
        )


def between(
    live: Mapping[str, str] | None, config: Mapping[str, str], release: Version | None = None
) -> list[ConfigChange]:
    """The edits that lead from the live config to another one, in reading order; a new connector's are all harmless.

    A live value that is masked is treated as equal: it cannot be compared, and must not be written back. Edits that
    change no behaviour are left out; see `neutral`. release: of Debezium, whose defaults hold; the newest if left out.
    """
    return [edit for edit in _differences(live, config, release) if edit.effect is not Effect.none]


def neutral(
    live: Mapping[str, str] | None, config: Mapping[str, str], release: Version | None = None
) -> list[ConfigChange]:
    """The differences that change no behaviour, such as an option that only one side sets, to its default."""
    return [edit for edit in _differences(live, config, release) if edit.effect is Effect.none]


def masked(live: Mapping[str, str] | None, config: Mapping[str, str]) -> list[str]:
    """The keys whose live value is masked, so that it cannot be compared."""
    return [key for key, value in (live or {}).items() if config.get(key, value) != value and MASKED.fullmatch(value)]


def _differences(
    live: Mapping[str, str] | None, config: Mapping[str, str], release: Version | None
) -> Iterator[ConfigChange]:
    current = live or {}
    then, now = {**config, **current}, {**current, **config}
    for key in in_order(sorted(current.keys() | config.keys())):
        before, after = current.get(key), config.get(key)
        if before == after or (before is not None and after is not None and MASKED.fullmatch(before)):
            continue
        place = options.resolve(then if after is None else now, key)
        if live is None:
            effect = Effect.restart
        else:
            effect = Effect.none if place.same(before, after, release) else place.effect_of(before, after)
        hides = is_secret(key, then) or is_secret(key, now)
        yield ConfigChange(key, before, after, effect, secret=hides)


def unsafe_changes(edits: Sequence[ConfigChange]) -> list[ConfigChange]:
    """The edits with an effect other than a restart of the connector."""
    return [edit for edit in edits if edit.effect not in HARMLESS]


def refuse_unsafe(connector: str, edits: Sequence[ConfigChange]) -> None:
    """Raise UnsafeChange if an edit has an effect other than a restart of the connector."""
    if unsafe := unsafe_changes(edits):
        raise UnsafeChange(
            f"{len(unsafe)} of {len(edits)} changes to '{connector}' affect messages, offsets or delivery; "
            "nothing was changed",
            fix="review them, then repeat with --allow-destructive",
            details=[f"  {edit.line()}\n      {edit.effect}" for edit in unsafe],
        )


def shown(config: Mapping[str, str] | None) -> dict[str, str] | None:
    """A config for display and for digests: secrets that are written out are hidden, references are not."""
    if config is None:
        return None
    return {key: secret.shown(value, secret=is_secret(key, config)) for key, value in sorted(config.items())}
