"""What a pass over a program has seen: its open brackets, and the options in each of its maps. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.document import Entry
from outbox_kit.lint.mentions import closing
from outbox_kit.lint.placeholders import placeholder
from outbox_kit.router.options import connectors

Owner = tuple[int, str]
"""A scope, by its offset, and the object in it that options belong to; empty for a map."""
CLASS = "connector.class"
OWN = lazy_pattern(r"^(?:this|self)\.")
OF_CONFIG = lazy_pattern(r"(?:database|mongodb|transforms|topic)\.")


@dataclass(frozen=True)
class Base:
    """A map whose options another one takes over."""

    name: str
    """By which the program calls it, or the function that returns it."""
    owner: "Owner | None"
    """What has had the name until then; None if it was not known yet."""


@dataclass
class MapOptions:
    """The options of one map, or those that calls give to one object."""

    entries: list[Entry] = field(default_factory=list)
    partial: bool = False
    """Whether it has options that are not shown."""
    bases: list["Base"] = field(default_factory=list)
    """The maps whose options it takes over."""
    built: bool = False
    """Whether a builder sets its class."""
    of_endpoint: bool = False
    """Whether they are the parameters of an endpoint of Camel."""


@dataclass
class OpenBracket:
    """A bracket that is open: its position, and the function that it belongs to."""

    at: int
    function: str
    is_map: bool = False
    """Whether names need no quotes in it: a map of JavaScript or PowerShell."""
    is_hashtable: bool = False
    """Whether it is one of PowerShell, with equals signs."""
    commas: int = 0
    """How many commas were in it until now, those in other brackets left out."""


@dataclass
class Scan:
    """The brackets and maps of a program, up to a token."""

    groups: dict[Owner, MapOptions] = field(default_factory=dict)
    """The options by the scope and the object that they belong to."""
    scopes: list[OpenBracket] = field(default_factory=lambda: [OpenBracket(-1, "")])
    """The brackets that are open."""
    names: dict[str, Owner] = field(default_factory=dict)
    """The scopes of maps by the names to which they are assigned."""
    around: dict[str, int] = field(default_factory=dict)
    """By the same names, the bracket in which the map is declared."""

    def options(self, owner: Owner) -> MapOptions:
        """The options of an owner."""
        return self.groups.setdefault(owner, MapOptions())

    def declare(self, name: str, at: int) -> None:
        """Note that the bracket at an offset, the innermost one, begins the map of a name."""
        self.names[name] = (at, "")
        self.around[name] = self.scopes[-2].at if len(self.scopes) > 1 else -1

    def declared(self, name: str) -> Owner | None:
        """The map with options of a name, as far as it is the one that the name has in the innermost bracket."""
        name = OWN.sub("", name)
        is_seen = any(bracket.at == self.around.get(name) for bracket in self.scopes)
        owner = self.names.get(name) if is_seen else None
        return owner if owner in self.groups else None

    def add(self, owner: Owner, entry: Entry) -> None:
        """Add an option. A value of an option that has one is not known: a condition may decide."""
        options = self.options(owner)
        same = [number for number, other in enumerate(options.entries) if other.key == entry.key != CLASS]
        for number in same:
            options.entries[number] = replace(entry, value=placeholder(entry.key))
        if not same:
            options.entries.append(entry)

    def take_over(self, name: str) -> None:
        """Note that the innermost bracket has the options of a map."""
        self.innermost().bases.append(Base(name, self.names.get(name)))

    def innermost(self) -> MapOptions:
        """The options of the innermost bracket."""
        return self.options((self.scopes[-1].at, ""))


def with_classes(maps: Iterable[MapOptions]) -> Iterator[MapOptions]:
    """The options of each map; those of a resource of Strimzi with the class that stands beside its config."""
    beside = list[Entry]()
    for options in maps:
        if classes := [entry for entry in options.entries if entry.key == "class" and entry.value in connectors()]:
            beside = [replace(classes[0], key="connector.class")]
            continue
        if any(OF_CONFIG.match(entry.key) for entry in options.entries):
            options.entries += beside
            beside = []
        yield options


def join_branches(groups: Mapping[Owner, MapOptions], text: str) -> None:
    """Give an object that gets its class in a branch of a program what it gets outside of the branch."""
    for (scope, receiver), options in groups.items():
        if not receiver or not any(entry.key == CLASS for entry in options.entries):
            continue
        keys = {entry.key for entry in options.entries}
        for (outer, name), around in groups.items():
            if name == receiver and outer < scope and closing(text, outer + 1) > scope:
                options.entries[:0] = [entry for entry in around.entries if entry.key not in keys]


def with_bases(options: MapOptions, groups: Mapping[Owner, MapOptions], names: Mapping[str, Owner]) -> MapOptions:
    """The options of a map with those that it takes over, of which its own hold. names: of all maps, and functions."""
    keys = {entry.key for entry in options.entries}
    bases = [groups.get(base.owner or names.get(base.name, (-2, ""))) for base in options.bases]
    taken = [entry for base in bases if base for entry in base.entries if entry.key not in keys]
    partial = options.partial or None in bases or any(base.partial or base.bases for base in bases if base)
    built = options.built or any(base.built for base in bases if base)
    return MapOptions([*taken, *options.entries], partial, built=built)
