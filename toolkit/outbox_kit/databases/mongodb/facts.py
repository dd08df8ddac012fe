"""MongoDB: no tables, no SQL; what is a row elsewhere is a document here, and what is a column is a field of it."""

from outbox_kit.databases import facts
from outbox_kit.tls import TlsSettings

MONGODB = facts.Dialect(
    name="mongodb",
    title="MongoDB",
    rank=5,
    types={  # as a validator calls them
        "uuid": "string",  # not binData: the router takes the id as text
        "objectid": "objectId",
        "text": "string",
        "json": "object",  # a document, which the router expands: it never reads JSON out of a text
        "document": "string",
        "bytes": "binData",
        "integer": "int",  # the only type the router takes for a partition
        "bigint": "long",
        "boolean": "bool",
        "instant": "date",  # what a TTL index needs; never the router's timestamp: it takes nothing but a long
    },
    documents=True,
    file_defaults={"table": {"columns": {"id": "_id"}}, "ordering": {"assigned_by": "application"}},
    retentions=("delete", "delete_on_insert", "forever"),
    access=facts.Access(
        port=27017,
        dsn="mongodb://{host}:{port}/{database}",
        example="mongodb://USER@HOST/NAME",
        variable="MONGODB_PASSWORD",
        extra="mongodb",
        tls=TlsSettings(
            server="the database server",
            address="OUTBOX_KIT_DSN",
            authority="tlsCAFile in OUTBOX_KIT_DSN",
            client="tlsCertificateKeyFile in OUTBOX_KIT_DSN",
            on="tls=true in OUTBOX_KIT_DSN",
            off="tls=false in OUTBOX_KIT_DSN",
        ),
    ),
    naming=facts.Naming(
        quotes=("", ""),
        schema=None,
    ),
    ddl=facts.Ddl(
        folders=("mongodb",),
        templates=("commands",),
        transactional=False,
        default_clauses={},  # the application writes the time, and numbers the events of its aggregates
        suffix="js",
        comment_prefix="//",
    ),
    limits=facts.Limits(
        name=255,
        table=190,  # with its database's name, of 63 at most, it must fit 255
        role=255,
        payload=15 * 1024 * 1024,  # a change with all that is around it must fit the 16 MB of a document
        forbidden="$.",
        not_in_database='/\\ "*<>:|?',
        database=63,
    ),
    adoption=facts.Adoption(rewritten_types=("object",)),
    capture=facts.Capture(
        offset=facts.OffsetForm(("server_id",)),
        options={
            "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
            "mongodb.connection.string": "mongodb://{host}:{port}/{replica_set}",
            "mongodb.user": "{role}",
            "mongodb.password": "{password}",
            "capture.scope": "collection",
            "capture.target": "{table}",
            "capture.mode": "change_streams",
            "collection.include.list": "{tables}",
            "cursor.oversize.handling.mode": "fail",
            "skipped.operations": "u,d,t",  # a migration fills fields; the server leaves that out of the stream
        },
        snapshot_query="",  # the connector takes a filter and no order: it reads as the collection lies
        router="io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter",
        option_prefix="collection",
        uses_heartbeat_table=False,  # the server writes to its log every ten seconds, which moves the token of a stream
        min_debezium="3.2",  # before, arrays in documents were expanded by rules that nothing here knows
    ),
    inbox=facts.InboxFacts(modes=("message-id",)),
    code=facts.Code(
        stacks=("python-pymongo", "node-mongodb"),
        inbox="inbox.mongosh.js",  # inbox.js is what TypeScript's compiler makes of inbox.ts
    ),
    runbook=facts.Runbook(
        password_statement="db.changeUserPassword(...)",  # noqa: S106 - a statement
        client='mongosh "$OUTBOX_KIT_DSN" --eval',
    ),
)
