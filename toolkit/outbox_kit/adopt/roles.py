"""The role of a column in an outbox, by its name and its type. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from outbox_kit.databases.catalogue import CatalogueTable
from outbox_kit.router.column_types import NoSuchType
from outbox_kit.router.columns import Modes, kind
from outbox_kit.router.values import DECIMAL, TIMESTAMP, NotModelled, Type

NAMED = {
    "io.debezium.data.Uuid": "uuid",
    "io.debezium.data.Json": "json",
    "io.debezium.data.Xml": "xml",
    "io.debezium.time.ZonedTimestamp": "zoned",
    "io.debezium.time.Timestamp": "moment",
    "io.debezium.time.MicroTimestamp": "moment",
    "io.debezium.time.NanoTimestamp": "moment",
    TIMESTAMP: "moment",
    DECIMAL: "number",
}
BARE = {
    Type.string: "text",
    Type.int16: "number",
    Type.int32: "number",
    Type.int64: "number",
    Type.bytes: "binary",
    Type.boolean: "boolean",
}


@dataclass(frozen=True)
class Role:
    """What a column can be to an outbox."""

    name: str
    words: tuple[str, ...]
    """Names without case and punctuation, best first."""
    weak: tuple[str, ...]
    """Names that many other tables have too."""
    families: frozenset[str]
    """What its type may be."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _role(name: str, words: str, weak: str, families: str) -> Role:
    return Role(name, tuple(words.split()), tuple(weak.split()), _words(families))


# in the order in which they choose: a column is one thing only
ROLES = (
    _role("id", "id eventid messageid eventuuid outboxid uuid guid eventguid msgid", "", "uuid text number binary"),
    _role(
        "sequence", "sequence seq sequencenumber sequenceno seqno globalposition position", "ordinal offset", "number"
    ),
    _role("version", "aggregateversion streamversion aggregatesequence entityversion", "", "number"),
    _role(
        "aggregate_type",
        "aggregatetype aggregatename aggregate streamtype streamname streamcategory",
        "entitytype entity category resourcetype subjecttype stream",
        "text",
    ),
    _role(
        "aggregate_id",
        "aggregateid aggregaterootid streamid partitionkey messagekey eventkey routingkey kafkakey",
        "entityid resourceid subjectid key",
        "uuid text number",
    ),
    _role("type", "eventtype messagetype eventname messagename eventkind", "type name kind", "text"),
    _role(
        "payload",
        "payload eventpayload messagepayload jsonpayload serializedevent messagebody eventdata eventbody",
        "content body data message json value contents event document",
        "json text xml binary",
    ),
    _role(
        "created_at",
        "createdat occurredat occurredon occurredonutc createdon created creationtime createtime createddate "
        "publicationdate enqueuetime insertedat eventtime createdutc createdatutc recordedat added",
        "timestamp date time ts",
        "zoned moment",
    ),
    _role("headers", "headers eventheaders messageheaders metadata", "meta properties attributes", "json text"),
    _role("destination", "destination topic topicname destinationtopic channel exchange", "queue", "text"),
)

# what a publisher writes into a row after it was inserted
PUBLISHER = _words(
    "status statusname attempts attemptcount retries retrycount tries processedon processedonutc processedat processed "
    "isprocessed publishedat published ispublished senton sentat sent issent dispatchedat dispatched isdispatched "
    "deliveredat delivered completiondate completedat completionattempts lockedby lockeduntil lockedat lockid "
    "nextattemptat availableat nextretryat error lasterror failedat retryat"
)
# columns of the owner's that readers may want as headers
HEADERS = _words(
    "correlationid causationid conversationid traceparent tracestate tenantid tenant contenttype eventversion "
    "schemaversion partitionkey listenerid"
)


def plain(name: str) -> str:
    """A name without case and punctuation: `Occurred_On` is `occurredon`."""
    return re.sub(r"[\W_]+", "", name).lower()


def family(dialect: str, sql_type: str) -> str:
    """What a type is to the router: `uuid`, `text`, `json`, `xml`, `binary`, `number`, `boolean`, `zoned`, `moment`.

    `other` where the connector sends something that no role can be.
    """
    try:
        schema = kind(dialect, sql_type, Modes()).schema
    except (NoSuchType, NotModelled):
        return "other"
    return NAMED.get(schema.name or "") or BARE.get(schema.type, "other")


def roles(table: CatalogueTable, dialect: str) -> Mapping[str, str]:
    """The column of each role that one could be found for."""
    families = {column.name: family(dialect, column.type) for column in table.columns}
    return chosen([column.name for column in table.columns], families)


def chosen(names: Sequence[str], families: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """The name of each role that one could be found for. families: what each name's type is to the router, if known."""
    free = {plain(name): name for name in reversed(names)}
    columns = {}
    for role in ROLES:
        fitting = (
            word
            for word in (*role.words, *role.weak)
            if word in free and (families is None or families[free[word]] in role.families)
        )
        if word := next(fitting, None):
            columns[role.name] = free.pop(word)
    return columns


def weak(role: str, column: str) -> bool:
    """Whether many tables that are not outboxes have a column of that name."""
    return any(definition.name == role and plain(column) in definition.weak for definition in ROLES)


def of_publisher(table: CatalogueTable) -> Iterator[str]:
    """The columns by which a publisher remembers what it has sent."""
    return (column.name for column in table.columns if plain(column.name) in PUBLISHER)
