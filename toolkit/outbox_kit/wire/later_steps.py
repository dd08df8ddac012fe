"""The transformations behind a config's event router that leave topic and partition alone: what they change. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from outbox_kit.router.chain import ROUTERS
from outbox_kit.router.convert import below
from outbox_kit.router.javatext import split, trim
from outbox_kit.router.transforms import KAFKA, KEEP_TOPIC
from outbox_kit.wire.shape import Config

INSERT_HEADER, DROP_HEADERS = f"{KAFKA}InsertHeader", f"{KAFKA}DropHeaders"
CHANGE_KEY = KEEP_TOPIC & {
    f"{KAFKA}{name}" for name in ("ValueToKey", "Cast$Key", "ExtractField$Key", "Flatten$Key", "HoistField$Key")
} | {f"{KAFKA}MaskField$Key", f"{KAFKA}ReplaceField$Key"}


@dataclass(frozen=True)
class LaterSteps:
    """A config in two parts."""

    config: Config
    """The config without these transformations, which the model of the router need not know."""
    steps: tuple[Mapping[str, str], ...]
    """The options of each of these transformations, in their order."""

    def headers(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names of the headers that every event has behind these transformations. names: of those before them."""
        left = list(names)
        for options in self.steps:
            if options["type"] == INSERT_HEADER and "predicate" not in options:
                left.append(trim(options.get("header", "")))
            elif options["type"] == DROP_HEADERS:
                dropped = [trim(name) for name in split(options.get("headers", ""), ",")]
                left = [name for name in left if name not in dropped]
        return tuple(dict.fromkeys(left))

    @property
    def change_key(self) -> bool:
        """Whether one of them may make another key."""
        return any(options["type"] in CHANGE_KEY for options in self.steps)


def later_steps(config: Config) -> LaterSteps:
    """The config without the transformations behind its event router that have no say in a topic, and those."""
    names = [trim(name) for name in split(config.get("transforms", ""), ",")]
    steps = {name: below(config, f"transforms.{name}.") for name in names}
    kinds = {name: trim(steps[name].get("type", "")) for name in names}
    router = next((n for n, name in enumerate(names) if kinds[name] in ROUTERS), len(names))
    later = [name for n, name in enumerate(names) if n > router and kinds[name] in KEEP_TOPIC]
    unchanged = [name for name in names if name not in later]
    if any("predicate" in steps[name] for name in names[router + 1 :] if name in unchanged):
        return LaterSteps(config, ())  # which may go by a header that one of them adds
    return LaterSteps(
        {**config, "transforms": ",".join(unchanged)}, tuple({**steps[name], "type": kinds[name]} for name in later)
    )
