"""A document of a schema file with the overlay of an environment: their sum, and the place of each part. Pure.

Maps are merged key by key; a list or a value of the overlay replaces the one of the document.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.schema.nearest import nearest
from outbox_kit.schema.problem import SchemaProblem, Steps

KEY = "environments"
NAME = lazy_pattern(r"[a-z0-9][a-z0-9_-]{0,62}")
CHANGEABLE: Mapping[str, Sequence[str]] = {
    "database": (),
    "connect": (),
    "delivery": (),
    "delivery_guarantee": (),
    "lint": (),
    "monitoring": (),
    "routing": ("topic", "previous_topics"),
}
"""The sections that an environment may change, and the keys of a section of which it may change these only."""
SAME = "it is the same in every environment"


@dataclass(frozen=True)
class Layers:
    """One document, and what an environment changes of it."""

    path: Path
    document: CommentedMap
    overlay: CommentedMap | None = None
    """None where the environment changes nothing, or no environment was chosen."""
    overlay_path: Path | None = None
    """The file of the overlay, if it is another one."""

    @property
    def merged(self) -> dict[str, Any]:
        """The sum, as JSON would hold it."""
        document = plain({key: value for key, value in self.document.items() if key != KEY})
        both: dict[str, Any] = merged(document, plain(self.overlay or {}))
        return both

    def place(self, location: Steps) -> tuple[Path, int, int]:
        """File, line and column (from 1) of a part: in the overlay, if that has as much of it as the document."""
        overlay = self.overlay
        if overlay is not None and 0 < depth(overlay, location) >= depth(self.document, location):
            return (self.overlay_path or self.path, *position(overlay, location))
        return (self.path, *position(self.document, location))

    def has(self, location: Steps) -> bool:
        """Whether the files themselves have a part, rather than a preset or a default."""
        return any(
            depth(layer, location) == len(location) for layer in (self.document, self.overlay) if layer is not None
        )


def merged(document: Any, overlay: Any) -> Any:
    """A plain document, changed by a plain overlay."""
    if not (isinstance(document, Mapping) and isinstance(overlay, Mapping)):
        return overlay
    both = {key: merged(document[key], value) if key in document else value for key, value in overlay.items()}
    return {**document, **both}


def environments(document: CommentedMap) -> Mapping[str, Any]:
    """The environments of a document by name, as they are written; empty if it has none, or not as a map."""
    written = document.get(KEY)
    return written if isinstance(written, CommentedMap) else {}


def problems(document: CommentedMap) -> Iterator[SchemaProblem]:
    """The mistakes in the environments of a document."""
    if KEY not in document:
        return
    if not isinstance(document[KEY], CommentedMap) or not document[KEY]:
        yield SchemaProblem(f"invalid {KEY}: expected a map of names to what they change", (KEY,))
        return
    for name, overlay in document[KEY].items():
        if not NAME.fullmatch(str(name)):
            expected = "expected lower-case letters, digits, '-' and '_'"
            yield SchemaProblem(f"invalid environment '{name}': {expected}", (KEY, name))
        for problem in overlay_problems(overlay):
            yield problem.below((KEY, name))


def overlay_problems(overlay: Any) -> Iterator[SchemaProblem]:
    """The mistakes of an overlay, with their places in it: what it must not change."""
    if overlay is None:
        return
    if not isinstance(overlay, CommentedMap):
        yield SchemaProblem("invalid environment: expected a map of the sections that it changes")
        return
    for section, value in overlay.items():
        if section not in CHANGEABLE:
            allowed = ", ".join(CHANGEABLE)
            text = f"an environment cannot change '{section}': {SAME}; expected one of {allowed}"
            yield SchemaProblem(text, (section,))
        elif keys := CHANGEABLE[section]:
            wrong = [key for key in value if key not in keys] if isinstance(value, Mapping) else [""]
            for key in wrong:
                name = f"{section}.{key}".rstrip(".")
                text = f"an environment cannot change '{name}': {SAME}; expected one of {', '.join(keys)}"
                yield SchemaProblem(text, (section, key) if key else (section,))


def unknown(name: str, names: Sequence[str]) -> str:
    """The words for an environment that is not known."""
    return f"environment '{name}' not found{nearest(name, names)}"


def plain(node: Any) -> Any:
    """YAML's decorated nodes as plain values, so that pydantic sees what JSON would hold."""
    if isinstance(node, Mapping):
        return {str(key): plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [plain(item) for item in node]
    for kind in (bool, int, float, str):
        if isinstance(node, kind):
            return kind(node)
    return node


def position(document: CommentedMap, location: Steps) -> tuple[int, int]:
    """Line and column (from 1) of the deepest node on the way to a location: the key, if the file has it."""
    node: Any = document
    line, column = document.lc.line, document.lc.col
    for step in location:
        try:
            if isinstance(node, CommentedMap):
                line, column = node.lc.key(step)
            elif isinstance(node, CommentedSeq):
                line, column = node.lc.item(step)
            else:
                break
            node = node[step]
        except (KeyError, IndexError, TypeError, AttributeError):
            continue  # a name of the model, such as a union's branch, not of the file
    return line + 1, column + 1


def depth(document: CommentedMap, location: Steps) -> int:
    """How many steps of the way to a location a document has."""
    node: Any = document
    for number, step in enumerate(location):
        try:
            node = node[step]
        except (KeyError, IndexError, TypeError):
            return number
    return len(location)
