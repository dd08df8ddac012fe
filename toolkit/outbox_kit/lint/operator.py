"""The resource of Debezium's operator for Kubernetes, as the settings of the server that it runs. Pure.

Source: the reference of the resource DebeziumServer; the operator writes an application.properties of it.
"""

from collections.abc import Iterator
from dataclasses import replace

from outbox_kit.lint.document import Entry
from outbox_kit.lint.nodes import Items, Members
from outbox_kit.properties import properties

POSTGRES = "postgresql"
"""In the class of the connector that has no schema history."""
IN_MEMORY = {
    "offset.storage": "org.apache.kafka.connect.storage.MemoryOffsetBackingStore",
    "schema.history.internal": "io.debezium.relational.history.MemorySchemaHistory",
}
"""The classes of what is lost when the server ends."""
DATA = "/debezium/data"
"""The volume of the resource."""


def settings(resource: Members) -> Iterator[Entry]:
    """The settings that a resource stands for."""
    for entry in _settings(resource):
        yield replace(entry, value=_as_property(entry.value))


def _as_property(value: str) -> str:
    """A value as the server reads it: the operator writes it into the file as it is, where a backslash escapes."""
    if "\\" not in value or "\n" in value:
        return value
    return next(iter(properties(f"value={value}"))).value


def _settings(resource: Members) -> Iterator[Entry]:
    """The settings as the resource has them."""
    spec = resource.members("spec")
    source, sink = spec.members("source"), spec.members("sink")
    yield from _text_of(source, "class", "debezium.source.connector.class")
    yield from _config(source, "debezium.source.")
    yield from _text_of(sink, "type", "debezium.sink.type")
    yield from _config(sink, f"debezium.sink.{sink.text('type') or ''}.")
    for part in ("key", "value", "header"):
        form = spec.members("format").members(part)
        yield from _text_of(form, "type", f"debezium.format.{part}")
        yield from _config(form, f"debezium.format.{part}.")
    yield from _storage(source, "offset", "offset.storage", "offsets.dat")
    if source.get("schemaHistory") is not None or POSTGRES not in (source.text("class") or ""):
        yield from _storage(source, "schemaHistory", "schema.history.internal", "schema_history.dat")
    transforms = spec.get("transforms")
    steps = transforms.items if isinstance(transforms, Items) else ()
    names = [f"t{number}" for number in range(len(steps))]
    if steps:
        yield Entry("debezium.transforms", ",".join(names), _at(spec, "transforms"))
    for name, step in zip(names, steps, strict=True):
        if isinstance(step, Members):
            for part in ("type", "predicate", "negate"):
                yield from _text_of(step, part, f"debezium.transforms.{name}.{part}")
            yield from _config(step, f"debezium.transforms.{name}.")
    predicates = spec.members("predicates")
    if predicates.pairs:
        yield Entry("debezium.predicates", ",".join(key.text for key, _ in predicates.pairs), predicates.at)
    for key, predicate in predicates.pairs:
        if isinstance(predicate, Members):
            yield from _text_of(predicate, "type", f"debezium.predicates.{key.text}.type")
            yield from _config(predicate, f"debezium.predicates.{key.text}.")


def _storage(source: Members, part: str, option: str, name: str) -> Iterator[Entry]:
    """Where the server keeps something: a file on its volume, unless the resource names another place."""
    stored = source.members(part)
    kept = [key.text for key, _ in stored.pairs]
    if not kept or kept == ["file"]:
        file = stored.members("file").text("fileName") or name
        yield Entry(f"debezium.source.{option}.file.filename", f"{DATA}/{file}", stored.at)
        if part == "schemaHistory":
            yield Entry(f"debezium.source.{option}", "$(file)", stored.at)
    else:
        value = IN_MEMORY[option] if kept == ["memory"] else f"$({kept[0]})"
        yield Entry(f"debezium.source.{option}", value, stored.at)


def _text_of(node: Members, name: str, setting: str) -> Iterator[Entry]:
    if (value := node.text(name)) is not None:
        yield Entry(setting, value, _at(node, name))


def _config(node: Members, prefix: str) -> Iterator[Entry]:
    yield from node.members("config").flattened(prefix)


def _at(node: Members, name: str) -> int:
    """Where a name stands."""
    places = (key for key, _ in node.pairs if key.text == name)
    return next(places, node).at
