"""Rules about the connector of MongoDB."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mongodb.facts import MONGODB
from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import containers, placeholders
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.rules.filters import REGEX_MARKS
from outbox_kit.lint.subject import Subject
from outbox_kit.router.javatext import trim
from outbox_kit.router.transforms import KAFKA

INSERTS = lazy_pattern(r"operationType[\"']?\s*:(?:(?!\binsert\b)[^}])*}")

DATE = r"[\"']?\s*[:=]\s*(?:new\s+Date\(|new\s+ISODate\(|ISODate\(|datetime\.|Instant\.|\{\s*[\"']?\$date\b)"
"""What follows the name of a field that gets a date."""
ONLY_INSERTS = lazy_pattern(
    r"operationType[\"']?\s*:\s*(?:[\"']insert[\"']|\{\s*[\"']?\$in[\"']?\s*:\s*\[\s*[\"']insert[\"']\s*\])"
)


@rule(
    "mongo-timestamp-is-date",
    Consequence.stop,
    evidence="H01",
    connectors=MONGODB.name,
    fix="write the time as a 64-bit integer of milliseconds (NumberLong), or remove the option",
)
def mongo_timestamp_is_date(subject: Subject) -> Iterator[Violation]:
    """The field of the timestamp is a 64-bit integer, if the file shows a program that writes it.

    The router for MongoDB cannot expand a document with a date in this field, and finds no payload in it.
    """
    name = "collection.field.event.timestamp"
    column = subject.router_option(name) if subject.router and name in subject.router.options else None
    if column and re.search(rf"\b{re.escape(column)}{DATE}", subject.text):
        yield Violation(subject.router_key(name), f"the file writes a date to '{column}'")


@rule(
    "mongo-pipeline-drops-inserts",
    Consequence.loss,
    evidence="C10",
    connectors=MONGODB.name,
    fix="let inserts through",
)
def mongo_pipeline_drops_inserts(subject: Subject) -> Iterator[Violation]:
    """The pipeline of the change stream lets inserts through.

    Events are inserted documents: what the pipeline leaves out is never published.
    """
    pipeline = subject.config.get("cursor.pipeline", "")
    if subject.router and INSERTS.search(pipeline):
        yield Violation("cursor.pipeline", "the pipeline selects operations without inserts")
    if not subject.router and ONLY_INSERTS.search(pipeline) and "update_full" in subject.config.get("capture.mode", ""):
        message = "the pipeline selects inserts alone, and capture.mode is about updates"
        yield Violation("cursor.pipeline", message, consequence=Consequence.wrong)


@rule(
    "mongo-large-documents-skipped",
    Consequence.loss,
    evidence="M04",
    connectors=MONGODB.name,
    fix="set cursor.oversize.handling.mode=split, or let the task fail",
)
def mongo_large_documents_skipped(subject: Subject) -> Iterator[Violation]:
    """Documents that are too large for a change event are not skipped."""
    key = "cursor.oversize.handling.mode"
    if subject.config.get(key, "").strip().lower() == "skip":
        yield Violation(key, f"{key} is skip")


REFERENCE = lazy_pattern(r"\$\{[^{}]*\}")
STRING, OF_SINK = "mongodb.connection.string", "connection.uri"
AUTHORITY = lazy_pattern(r"mongodb(?P<srv>\+srv)?://(?P<authority>[^/?]*)")


@rule(
    "invalid-connection-string",
    Consequence.stop,
    of_names=True,
    evidence="N10",
    fix="encode @ and : of user and password as %40 and %3A; leave out the port of mongodb+srv",
)
def invalid_connection_string(subject: Subject) -> Iterator[Violation]:
    """The driver of MongoDB accepts the connection string, of a source or of MongoDB's sink."""
    for key in (STRING, OF_SINK):
        match = AUTHORITY.match(REFERENCE.sub("x", trim(subject.config.get(key, ""))))
        if match is None or "$(" in match["authority"]:
            continue
        userinfo, _, hosts = match["authority"].rpartition("@")
        if "@" in userinfo or userinfo.count(":") > 1:
            yield Violation(key, "user or password have a character that must be encoded")
        if match["srv"] and re.search(r":\d+$", hosts):
            yield Violation(key, "a host of mongodb+srv has no port")


USER = lazy_pattern(r"\bcreateUser\(\s*\{(?P<user>.{0,600}?)\}\s*\]", re.DOTALL)
ROLE = lazy_pattern(r"\brole[\"']?\s*:\s*[\"'](?P<role>\w+)[\"']")
OF_ONE_DATABASE = ("read", "readWrite", "dbOwner", "dbAdmin")


@rule(
    "mongo-scope-not-granted",
    Consequence.stop,
    of_names=True,
    evidence="N10",
    connectors=MONGODB.name,
    since="2.5",
    fix="set capture.scope=database and capture.target, or grant the role readAnyDatabase",
)
def mongo_scope_not_granted(subject: Subject) -> Iterator[Violation]:
    """The account that the file creates may read what the connector reads.

    By default it opens a change stream on the whole deployment, for which a role in one database is not enough.
    """
    user = subject.config.get("mongodb.user", "").strip()
    is_wide = user and (subject.setting("capture.scope") or "") == "deployment"
    for match in USER.finditer(subject.text) if is_wide else ():
        roles = [role["role"] for role in ROLE.finditer(match["user"])]
        is_of_user = re.search(rf"[\"']{re.escape(user)}[\"']", match["user"])
        if is_of_user and roles and all(role in OF_ONE_DATABASE for role in roles):
            yield Violation("connector.class", f"'{user}' has roles in one database only", unset="capture.scope")
            return


@rule(
    "replica-set-not-named",
    Consequence.stop,
    severity=Severity.warning,
    of_names=True,
    evidence="N10",
    connectors=MONGODB.name,
    since="2.2",
    fix="add it to the address: ?replicaSet=rs0",
)
def replica_set_not_named(subject: Subject) -> Iterator[Violation]:
    """The connection string names the replica set, unless it leads to a router of a sharded cluster.

    The validation of the connector refuses a replica set whose name is not in it.
    """
    string = trim(subject.config.get(STRING, "")) if subject.outbox is None else ""
    match = AUTHORITY.match(string)
    if match and not match["srv"] and not placeholders.WORD.search(string) and "replicaset=" not in string.lower():
        if "mongos" not in match["authority"].rpartition("@")[2] and not REFERENCE.fullmatch(match["authority"]):
            yield Violation(STRING, f"'{STRING}' names no replica set")


@rule(
    "mongo-field-left-out",
    Consequence.stop,
    evidence="C06",
    connectors=MONGODB.name,
    fix="keep the fields that the event router reads",
)
def mongo_field_left_out(subject: Subject) -> Iterator[Violation]:
    """No filter leaves out a field that the event router reads."""
    key = "field.exclude.list"
    for entry in subject.entries(key) if subject.router and subject.says(key) else ():
        field = entry.rpartition(".")[2]
        if entry.count(".") >= 2 and field in subject.columns.values():
            yield Violation(key, f"'{entry}' leaves out a field that the event router reads")


@rule(
    "mongo-literal-filter",
    Consequence.loss,
    evidence="C10",
    connectors=MONGODB.name,
    fix="remove filters.match.mode, or list plain names",
)
def mongo_literal_filter(subject: Subject) -> Iterator[Violation]:
    """Lists have plain names if filters.match.mode is literal.

    An expression is compared as it is and matches nothing.
    """
    mode = "filters.match.mode"
    if subject.config.get(mode, "").strip().lower() != "literal":
        return
    for key in ("collection.include.list", "database.include.list", "collection.exclude.list", "database.exclude.list"):
        for entry in subject.entries(key) if subject.says(key) else ():
            if REGEX_MARKS.search(entry) or "\\" in entry:
                consequence = Consequence.wrong if "exclude" in key else None
                yield Violation(key, f"'{entry}' is compared as it is: {mode} is literal", consequence=consequence)
                break


FIELD_PARTS = 3
"""Database, collection and field (`MongoDbConnectorConfig.FIELD_EXCLUDE_LIST_PATTERN`)."""


@rule(
    "mongo-field-not-qualified",
    Consequence.stop,
    evidence="C10",
    connectors=MONGODB.name,
    fix="write the field with its database and collection: shop.orders.email",
)
def mongo_field_not_qualified(subject: Subject) -> Iterator[Violation]:
    """Every field in a list has its database and its collection.

    The connector refuses a shorter name.
    """
    for key in ("field.exclude.list", "field.renames"):
        for entry in subject.entries(key) if subject.says(key) else ():
            field = entry.partition(":")[0]
            if len(field.split(".")) < FIELD_PARTS:
                yield Violation(key, f"'{field}' is incomplete: expected <database>.<collection>.<field>")
                break


@rule(
    "mongo-full-update-without-effect",
    Consequence.wrong,
    severity=Severity.error,
    evidence="M04",
    connectors=MONGODB.name,
    fix="set capture.mode=change_streams_update_full",
)
def mongo_full_update_without_effect(subject: Subject) -> Iterator[Violation]:
    """The way in which whole documents are read is set where they are read.

    With another capture.mode an update has no whole document.
    """
    key, mode = "capture.mode.full.update.type", "capture.mode"
    value = (subject.setting(mode) or "").lower()
    if key in subject.config and subject.says(mode) and value and "update_full" not in value:
        yield Violation(key, f"{mode} is {value}: updates have no whole document")


WITHOUT_ID = lazy_pattern(
    r"\$(?:project|unset)[\"']?\s*:\s*(?:\{[^{}]*[\"']_id[\"']\s*:\s*(?:0|false)\b|\[?[\"'](?:[^\]}]*[\"'])?_id[\"'])"
)


@rule(
    "mongo-pipeline-removes-id",
    Consequence.stop,
    evidence="C10",
    connectors=MONGODB.name,
    fix="keep _id in the pipeline",
)
def mongo_pipeline_removes_id(subject: Subject) -> Iterator[Violation]:
    """The pipeline of the change stream keeps the field _id.

    It is the resume token: MongoDB ends the change stream with an error at the first event without it.
    """
    key = "cursor.pipeline"
    if WITHOUT_ID.search(subject.config.get(key, "")):
        yield Violation(key, "the pipeline removes _id, the resume token")


@rule(
    "mongo-converters-ignored",
    Consequence.wrong,
    severity=Severity.error,
    evidence="N12",
    connectors=MONGODB.name,
    fix="remove the option; convert values in a transformation",
)
def mongo_converters_ignored(subject: Subject) -> Iterator[Violation]:
    """No converters of columns are listed: a document has none.

    The connector does not call them.
    """
    if subject.entries("converters"):
        yield Violation("converters", "this connector calls no converters of columns")


CREATES = lazy_pattern(r"\bcreateCollection\(|\bcollMod\b")


@rule(
    "mongo-pre-images-not-stored",
    Consequence.wrong,
    of_names=True,
    evidence="N20",
    connectors=MONGODB.name,
    fix="create the collection with changeStreamPreAndPostImages: {enabled: true}, or alter it with collMod",
)
def mongo_pre_images_not_stored(subject: Subject) -> Iterator[Violation]:
    """The collection that the file creates stores what a change event has of the document before.

    Otherwise the field before is null in every event.
    """
    mode = subject.config.get("capture.mode", "")
    creates = CREATES.search(subject.text) and "changeStreamPreAndPostImages" not in subject.text
    if "pre_image" in mode and creates:
        yield Violation("capture.mode", f"{mode} needs stored images, which the file does not enable")


def first_host(string: str) -> str:
    """The first host in a connection string; empty if it has none."""
    match = AUTHORITY.match(trim(string))
    return match["authority"].rpartition("@")[2].partition(",")[0].partition(":")[0] if match else ""


MEMBER = lazy_pattern(r"\brs\.initiate\s*\([^;]{0,600}?\bhost[\"']?\s*:\s*[\"'](?:localhost|127\.0\.0\.1)\b")


@rule(
    "mongo-member-is-localhost",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    connectors=MONGODB.name,
    fix="name the member by a host that the worker reaches: rs.initiate({members: [{host: 'mongo:27017'}]})",
)
def mongo_member_is_localhost(subject: Subject) -> Iterator[Violation]:
    """The members of the replica set have names that the worker reaches.

    The driver asks the server for them and goes on with these: with localhost it looks for the database at itself.
    """
    host = first_host(subject.config.get(STRING, ""))
    if host and host not in containers.LOCAL and subject.says(STRING) and MEMBER.search(subject.text):
        yield Violation(STRING, "the file calls the member of the replica set localhost")


SET_NAME = lazy_pattern(
    r"\b_id[\"']?\s*:\s*[\"'](?P<name>[\w.-]+)[\"'],?\s*[\"']?(?:version|members|configsvr|protocolVersion)\b"
    r"|--replSet[ =\"',]+(?P<flag>[\w.-]+)"
)
ASKED_SET = lazy_pattern(r"[?&]replicaSet=(?P<name>[\w.-]+)")


@rule(
    "replica-set-differs",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    connectors=MONGODB.name,
    fix="write the name of the replica set that the file starts",
)
def replica_set_differs(subject: Subject) -> Iterator[Violation]:
    """The connection string names the replica set that the file starts.

    The driver takes no server of another set: it finds none, and the connector is refused.
    """
    reference = ASKED_SET.search(subject.config.get(STRING, ""))
    names = {match["name"] or match["flag"] for match in SET_NAME.finditer(subject.text)}
    if reference and subject.says(STRING) and len(names) == 1 and reference["name"] not in names:
        yield Violation(STRING, f"the file starts the replica set '{min(names)}', not '{reference['name']}'")


KEY_FIELD = f"{KAFKA}ExtractField$Key"


@rule(
    "mongo-key-field",
    Consequence.stop,
    of_names=True,
    evidence="N12",
    fix="write id",
)
def mongo_key_field(subject: Subject) -> Iterator[Violation]:
    """The field of a key of MongoDB's connector is `id`.

    `_id` is a field of the document; ExtractField fails on a key without the field.
    """
    documents = subject.connector == MONGODB.name
    for step in subject.steps:
        documents = documents or step.kind.endswith("ExtractNewDocumentState")
        if documents and step.kind == KEY_FIELD and step.options.get("field", "").strip() == "_id":
            yield Violation(step.key("field"), "the key of a change event of MongoDB has the field id, not _id")
