"""What the Event Router makes of a record: `io.debezium.transforms.outbox.EventRouter`, step by step, without a JVM.

The first step that fails wins, as in the real one. A router keeps state: the schemas of enveloped values are cached
for the life of a task, and a cached schema is used again whatever the row looks like by then.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from outbox_kit.router import javaregex
from outbox_kit.router.chance import Chance, all_runs
from outbox_kit.router.expand import ExpansionFailed, SchemaReplacedOnly
from outbox_kit.router.javatext import BLANKS, text_of
from outbox_kit.router.options import catalogue
from outbox_kit.router.settings import Options, Placement, Settings, settings
from outbox_kit.router.values import (
    ConnectHeader,
    Dropped,
    Failure,
    NotModelled,
    Schema,
    SourceRecord,
    Struct,
    Type,
    java_class,
    validate,
)
from outbox_kit.versions import Version

Result = SourceRecord | Dropped | Failure

CACHED_SCHEMAS = 10_000
PAYLOAD, VERSION = "payload", "version"
"""The caches of the schemas of enveloped values: by the payload's schema, or by the row's schema version."""
ORACLE_SOURCE = "oracle"  # what its connector writes into a row's source
DIVISORS = {
    "io.debezium.time.Timestamp": 1,
    "io.debezium.time.MicroTimestamp": 1_000,
    "io.debezium.time.NanoTimestamp": 1_000_000,
}


def oracle_settings(options: Options, release: Version) -> Settings:
    """The settings that hold for the rows of Oracle's connector, whose columns are in upper case; see `settings`."""
    return settings(options, release, catalogue("oracle").facts["columns"])


class _UsedSchema(NamedTuple):
    """A schema that an enveloped value was given."""

    cache: str
    key: Any
    schema: Schema


class EventRouter:
    """One router of one task."""

    def __init__(self, options: Options, release: Version, *, beside_oracle: bool = False) -> None:
        """options: without the transformation's prefix, as text. release: Debezium's.

        beside_oracle: whether Oracle's connector is on the same class path; rows are then asked for their connector.
        Raises Failure where the task would not start.
        """
        self._settings = settings(options, release)
        self._oracle = oracle_settings(options, release) if beside_oracle else None
        self._topics: dict[str, str] = {}
        self._caches: Mapping[str, OrderedDict[Any, list[Schema | None]]] = {
            PAYLOAD: OrderedDict(),
            VERSION: OrderedDict(),
        }
        self._used: _UsedSchema | None = None  # by the present run of a record
        self._gaps = False  # whether a row was not modelled, whose schema the real router may have cached

    def results(self, record: SourceRecord) -> list[Result]:
        """All that can happen to a record; more than one only where the JVM's hash order has a say.

        Raises NotModelled.
        """
        try:
            return self._results(record)
        except NotModelled:
            self._gaps = True
            raise

    def _results(self, record: SourceRecord) -> list[Result]:
        used: list[_UsedSchema | None] = []

        def run(chance: Chance | None) -> Result:
            self._used = None
            result = self._result(record, chance)
            used.append(self._used)
            return result

        if self._settings.expansion is None:
            results = [run(None)]
        else:
            results, complete = all_runs(run)
            if not complete:
                raise NotModelled("more outcomes than can be followed")
        self._keep(used)
        return results

    def _keep(self, used: Sequence["_UsedSchema | None"]) -> None:
        """Cache the schemas that the runs of a record have used: whichever way it went, a later row may meet it."""
        for each in dict.fromkeys((each.cache, each.key) for each in used if each is not None):
            cache, key = self._caches[each[0]], each[1]
            before, met = cache.get(key, [None]), list[Schema | None]()
            for run in used:
                met += [run.schema] if run is not None and (run.cache, run.key) == each else before
            cache[key] = list(dict.fromkeys(met))
            cache.move_to_end(key)
        while len(self._caches[PAYLOAD]) > CACHED_SCHEMAS:
            self._caches[PAYLOAD].popitem(last=False)

    def _result(self, record: SourceRecord, chance: Chance | None) -> Result:
        try:
            return self._routed(record, chance)
        except Failure as failure:
            return failure

    def _routed(self, record: SourceRecord, chance: Chance | None) -> SourceRecord | Dropped:
        if record.value is None:
            return Dropped("tombstone")
        schema = record.value_schema
        if schema is None or schema.name is None or not schema.name.endswith(".Envelope"):
            return record
        envelope = required_struct(record.value, "Detect Debezium Operation", schema)
        operation = envelope.typed("op", Type.string)
        if operation is None:
            raise Failure("NullPointerException", "the operation is null")
        if operation == "d":
            return Dropped("delete")
        if operation == "u":
            return self._update(record)
        return self._event(self._converted(record), envelope, chance)

    def _converted(self, record: SourceRecord) -> SourceRecord:
        """The record with its row as a struct; MongoDB's router overrides this."""
        return record

    def _update(self, record: SourceRecord) -> Dropped:
        if self._settings.on_update == "fatal":
            key = "null" if record.key is None else text_of(record.key, record.key_schema)
            raise Failure("IllegalStateException", f"Unexpected update message received {key}, fail.")
        return Dropped("update")

    def _event(self, record: SourceRecord, envelope: Struct, chance: Chance | None) -> SourceRecord:
        row = _row(record)
        settings = self._settings_for(record.value)
        columns = row.schema.by_name
        payload_schema = columns.get(settings.payload)
        if payload_schema is None:
            raise Failure("ConnectException", f"Unable to find payload field {settings.payload} in event")
        timestamp = _timestamp(settings.timestamp, row, envelope)
        headers = [*record.headers, ConnectHeader("id", columns.get(settings.id), row.get(settings.id))]
        payload = row.get(settings.payload)
        schema: Schema | None = payload_schema
        if chance is not None and isinstance(payload, str):
            schema, payload = _expanded(settings, payload_schema, payload, chance)
        wrapper = self._wrapper(settings, schema, payload, row, chance) if settings.enveloped else None
        partition = self._place(settings, row, headers, wrapper)
        if settings.tombstones and (payload is None or (isinstance(payload, str) and not payload.strip(BLANKS))):
            value_schema, value = None, None
        elif wrapper is not None:
            value_schema, value = wrapper.schema, wrapper
        else:
            value_schema, value = schema, payload
        key = row.get(settings.key)
        route = row.typed(settings.route, Type.string)
        topic, key_schema, context = self._topic(route), columns[settings.key], record.context
        return SourceRecord(topic, key_schema, key, value_schema, value, timestamp, partition, headers, context)

    def _settings_for(self, value: Struct) -> Settings:
        """The settings for a row's connector."""
        if self._oracle is None:
            return self._settings
        source = value.typed("source", Type.struct)
        if source is None:
            raise Failure("NullPointerException", "the source is null")
        return self._oracle if source.typed("connector", Type.string) == ORACLE_SOURCE else self._settings

    def _place(
        self, settings: Settings, row: Struct, headers: list[ConnectHeader], wrapper: Struct | None
    ) -> int | None:
        """Put each additional column where it belongs; the partition is returned."""
        partition = None
        columns = row.schema.by_name
        for entry in settings.placements:
            if settings.ignores_missing and entry.column not in columns:
                continue
            match entry.place:
                case "header":
                    value = row.get(entry.column)
                    headers.append(ConnectHeader(entry.alias, columns[entry.column], value))
                case "partition":
                    partition = row.typed(entry.column, Type.int32)
                case "envelope" if wrapper is not None:
                    _put(wrapper, entry.alias, row.get(entry.column), columns.get(entry.column))
                case _:
                    raise Failure("NullPointerException", f"the placement of '{entry.column}' is no word it knows")
        return partition

    def _wrapper(
        self, settings: Settings, payload_schema: Schema | None, payload: Any, row: Struct, chance: Chance | None
    ) -> Struct:
        """The struct around the payload, under a new or a cached schema."""
        if settings.version is None:
            version, cache, key = None, PAYLOAD, payload_schema
        else:
            version = row.typed(settings.version, Type.int32)
            cache, key = VERSION, version
        route = row.typed(settings.route, Type.string)
        schema = self._cached(cache, key, chance)
        if schema is None:
            schema = _wrapper_schema(settings, payload_schema, row, route, version)
        self._used = _UsedSchema(cache, key, schema)
        wrapper = Struct(schema, {})
        _put(wrapper, "payload", payload, payload_schema)
        return wrapper

    def _cached(self, cache: str, key: Any, chance: Chance | None) -> Schema | None:
        if cache == PAYLOAD and key is None:
            raise Failure("NullPointerException", "the payload has no schema")
        options = self._caches[cache].get(key)
        if options is None:
            if self._gaps:
                raise NotModelled("an earlier row that is not modelled may have decided the schema")
            return None
        schema: Schema | None = chance.pick(options) if chance is not None else options[0]
        return schema

    def _topic(self, route: str | None) -> str:
        """The topic of a routing value: a full match is asked for, but the first find is what is replaced."""
        if route is None:
            raise Failure("NullPointerException", "the routing value is null")
        topic = self._topics.get(route)
        if topic is None:
            topic = javaregex.rewritten(self._settings.regex, route, self._settings.replacement)
            if len(self._topics) < CACHED_SCHEMAS:
                self._topics[route] = topic
        return topic


def required_struct(value: Any, purpose: str, schema: Schema | None) -> Struct:
    """The value, if it is a struct. Raises Failure."""
    if not isinstance(value, Struct):
        class_name = "null" if value is None else java_class(value, schema)
        raise Failure("DataException", f"Only Struct objects supported for [{purpose}], found: {class_name}")
    return value


def _row(record: SourceRecord) -> Struct:
    value: Struct = record.value
    if "after" not in value.schema.by_name:
        raise Failure("IllegalArgumentException", "Unknown field: after")
    return required_struct(value.values.get("after"), "Read Outbox Event", value.schema.by_name["after"])


def _timestamp(column: str | None, row: Struct, envelope: Struct) -> int | None:
    """The record's timestamp in milliseconds."""
    if column is None:
        return _processed(envelope)
    schema = row.schema.by_name.get(column)
    if schema is None:
        raise Failure("ConnectException", f"Unable to find timestamp field {column} in event")
    value: int | None = row.typed(column, Type.int64)
    if value is None:
        return _processed(envelope)
    if schema.name is None:
        text = f"Unsupported field type {schema.type} (without logical schema name) for event timestamp"
        raise Failure("ConnectException", text)
    if schema.name not in DIVISORS:
        raise Failure("ConnectException", f"Unsupported field type {schema.name} for event timestamp")
    divisor = DIVISORS[schema.name]
    return value // divisor if value >= 0 else -(-value // divisor)  # Java divides toward zero


def _processed(envelope: Struct) -> int | None:
    """When Debezium processed the row."""
    timestamp: int | None = envelope.typed("ts_ms", Type.int64)
    return timestamp


def _expanded(settings: Settings, schema: Schema, payload: str, chance: Chance) -> tuple[Schema | None, Any]:
    if settings.expansion is None:
        return schema, payload
    try:
        return settings.expansion.expand(settings.payload, payload, chance)
    except ExpansionFailed:
        return schema, payload
    except SchemaReplacedOnly as poisoned:
        return poisoned.schema, payload


def _put(wrapper: Struct, name: str, value: Any, schema: Schema | None) -> None:
    target = wrapper.schema.by_name.get(name)
    if target is None:
        raise Failure("DataException", f"{name} is not a valid field name")
    validate(target, value, schema, f'field: "{name}"')
    wrapper.values = {**wrapper.values, name: value}


def _wrapper_schema(
    settings: Settings, payload: Schema | None, row: Struct, route: str | None, version: int | None
) -> Schema:
    if payload is None:
        raise Failure("SchemaBuilderException", "schema for field payload cannot be null.")
    fields = {"payload": payload}
    for entry in settings.placements:
        if entry.place == "envelope" and (column := _enveloped_column(settings, entry, row)) is not None:
            if entry.alias in fields:
                text = f"Cannot create field because of field name duplication {entry.alias}"
                raise Failure("SchemaBuilderException", text)
            if not entry.alias:
                raise Failure("SchemaBuilderException", "fieldName cannot be null.")
            fields[entry.alias] = column
    name = wrapper_name(row.schema.name, "null" if route is None else route)
    return Schema(Type.struct, name=name, version=version, fields=tuple(fields.items()))


def _enveloped_column(settings: Settings, entry: Placement, row: Struct) -> Schema | None:
    column = row.schema.by_name.get(entry.column)
    if column is None and not settings.ignores_missing:
        if settings.legacy_missing:
            raise Failure("NullPointerException", f"the column '{entry.column}' is not there")
        raise Failure("ConnectException", f"Unable to find field {entry.column} in event")
    if column is None and settings.legacy_missing:
        raise Failure("NullPointerException", f"the column '{entry.column}' is not there")
    return column


def wrapper_name(row: str | None, route: str) -> str:
    """The record name of an enveloped value: the routing value goes before the row's last word."""
    if row is None:
        return route
    head, dot, last = row.rpartition(".")
    return f"{head}{dot}{route}.{last}"
