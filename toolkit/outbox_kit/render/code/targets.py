"""The stacks for which code is generated, as data: language, placeholders and files. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from outbox_kit.databases.facts.inbox import HIGH_WATER, MESSAGE_ID, OFFSETS
from outbox_kit.errors import UnknownName
from outbox_kit.render.code.languages import CSHARP, GO, JAVA, PYTHON, TYPESCRIPT, Language
from outbox_kit.schema.nearest import nearest


@dataclass(frozen=True)
class Target:
    """A stack."""

    name: str
    title: str
    language: Language
    placeholder: str
    """The placeholder of a bound value; `{n}` is its number, `{i}` the number from 0, `{name}` its name, `{expression}`
    its expression. Empty for the database's placeholder.
    """
    files: Mapping[str, str]
    """The generated files, with their templates."""
    expressions: Mapping[str, str]
    """The expression of a value of the outbox's row, by its role, or by its role and kind; `{0}` is the parameter's
    name.
    """
    escapes: Mapping[str, str] = field(default_factory=dict)
    """The escapes of characters in quoted names of a statement."""
    rows: bool = False
    """Whether its library writes rows itself, without a generated statement."""
    inbox_modes: tuple[str, ...] = (MESSAGE_ID,)
    """The modes of an inbox for which `once` is generated."""
    loop: Mapping[str, str] = field(default_factory=dict)
    """The files of a consumer of Kafka, with their templates; none if the stack has no generated one."""
    loop_modes: tuple[str, ...] = ()
    """The modes of an inbox for which there is one."""
    loop_limit: str = ""
    """Why there is none for the other modes."""
    barrier: Mapping[str, str] = field(default_factory=dict)
    """The file of the barrier of two-phase messages, with its template; none if the stack has no generated one."""
    inbox_plain: bool = False
    """Whether the statements of the inbox are texts with the database's placeholders, although those of the outbox are
    not."""
    inbox_whole: str = "{}"
    """How a bound value of 64 bits stands in those, if it needs more than its mark."""


def _files(folder: str, shared: Mapping[str, str], *files: str) -> dict[str, str]:
    places = {**shared, **dict.fromkeys(files, folder)}
    return {path: f"{place}/{path}.j2" for path, place in places.items()}


EVERY_MODE = (MESSAGE_ID, HIGH_WATER, OFFSETS)

PYTHON_PSYCOPG = Target(
    name="python-psycopg",
    title="Python with psycopg 3",
    language=PYTHON,
    placeholder="%s",
    files=_files("python-psycopg", {"events.py": "python"}, "outbox.py", "inbox.py"),
    expressions={
        "id": "row.message_id",
        "aggregate": "row.event.aggregate",
        "aggregate_id": "row.aggregate_id",
        "type": "row.event.type",
        "payload": "encoded(row.event)",
        "trace": "_traceparent()",
        "parameter": "row.{}",
    },
    escapes={"%": "%%"},
)

PYTHON_DJANGO = replace(
    PYTHON_PSYCOPG,
    name="python-django",
    title="Python with Django",
    files=_files("python-django", {"events.py": "python"}, "outbox.py", "inbox.py"),
    expressions={
        **PYTHON_PSYCOPG.expressions,
        "id": "str(row.message_id)",  # not every driver supports UUID
        "parameter uuid": "str(row.{0})",
        "optional uuid": "str(row.{0}) if row.{0} else None",
    },
)
PYTHON_SQLALCHEMY = replace(
    PYTHON_DJANGO,
    name="python-sqlalchemy",
    title="Python with SQLAlchemy 2",
    placeholder=":{name}",
    files=_files("python-sqlalchemy", {"events.py": "python"}, "outbox.py", "inbox.py"),
    escapes={":": "\\:"},
)
PYTHON_PYMONGO = replace(
    PYTHON_DJANGO,
    name="python-pymongo",
    title="Python with pymongo",
    language=replace(PYTHON, locals=PYTHON.locals | {"created_at", "database", "datetime", "json", "timezone"}),
    placeholder="",
    files=_files("python-pymongo", {"events.py": "python"}, "outbox.py", "inbox.py"),
    expressions={
        **PYTHON_DJANGO.expressions,
        "payload json": "payload and json.loads(payload)",
        "created_at": "created_at",
    },
    escapes={},
)

GO_PGX = Target(
    name="go-pgx",
    title="Go with pgx 5",
    language=GO,
    placeholder="${n}",
    files=_files("go-pgx", {"events.go": "go"}, "outbox.go", "inbox.go"),
    loop=_files("go-pgx", {}, "consumer.go"),
    barrier=_files("go-pgx", {}, "barrier.go"),
    inbox_modes=EVERY_MODE,
    loop_modes=EVERY_MODE,
    expressions={
        "id": "id",
        "aggregate": "event.Aggregate()",
        "aggregate_id": "aggregateID",
        "type": "event.Type()",
        "payload": "payload",
        "trace": "traceparent(ctx)",
        "parameter": "columns.{}",
    },
)
GO_SQL = replace(
    GO_PGX,
    name="go-sql",
    title="Go with database/sql, and the database's driver",
    placeholder="",
    files=_files("go-sql", {"events.go": "go"}, "outbox.go", "inbox.go"),
    loop=_files("go-sql", {}, "consumer.go"),
    barrier=_files("go-sql", {}, "barrier.go"),
    expressions={**GO_PGX.expressions, "payload json": "text(payload)", "payload text": "text(payload)"},
)
NODE_PG = Target(
    name="node-pg",
    title="Node.js with pg, in TypeScript",
    language=TYPESCRIPT,
    placeholder="${n}",
    files=_files("node-pg", {"events.ts": "typescript"}, "outbox.ts", "inbox.ts"),
    loop=_files("node-pg", {}, "consumer.ts"),
    barrier=_files("node-pg", {}, "barrier.ts"),
    loop_modes=(MESSAGE_ID, HIGH_WATER),
    loop_limit="the KafkaJS API does not show the generation of the group when it assigns partitions",
    inbox_modes=EVERY_MODE,
    expressions={
        "id": "id",
        "aggregate": "event.aggregate",
        "aggregate_id": "aggregateId",
        "type": "event.type",
        "payload": "encoded(event)",
        "trace": "traceparent()",
        "parameter": "columns.{}",
        "optional": "columns.{} ?? null",
    },
)
NODE_MYSQL2 = replace(
    NODE_PG,
    name="node-mysql2",
    title="Node.js with mysql2, in TypeScript",
    placeholder="",
    files=_files("node-mysql2", {"events.ts": "typescript"}, "outbox.ts", "inbox.ts"),
    loop=_files("node-mysql2", {}, "consumer.ts"),
    barrier=_files("node-mysql2", {}, "barrier.ts"),
    inbox_whole="cast({} as signed)",  # the driver sends a bigint as text, which would be compared as a double
    expressions={**NODE_PG.expressions, "payload bytes": "payload && Buffer.from(payload)"},
)
NODE_MONGODB = replace(
    NODE_PG,
    name="node-mongodb",
    title="Node.js with mongodb, in TypeScript",
    placeholder="",
    inbox_modes=(MESSAGE_ID,),
    files=_files("node-mongodb", {"events.ts": "typescript"}, "outbox.ts", "inbox.ts"),
    loop={},
    barrier={},
    expressions={
        **NODE_PG.expressions,
        # an integer beyond 32 bits would become a double, which the router writes as 1.7E12
        "payload json": "payload && BSON.EJSON.parse(payload, {{ relaxed: false }})",
        "created_at": "new Date()",
    },
)
NODE_PRISMA = replace(
    NODE_PG,
    name="node-prisma",
    title="Node.js with Prisma, in TypeScript",
    placeholder="${{{expression}}}",
    inbox_plain=True,
    escapes={"\\": "\\\\", "`": "\\`", "$": "\\$"},
    files=_files("node-prisma", {"events.ts": "typescript"}, "outbox.ts", "inbox.ts"),
    loop=_files("node-prisma", {}, "consumer.ts"),
    barrier=_files("node-prisma", {}, "barrier.ts"),
)
JAVA_SPRING = Target(
    name="java-spring",
    title="Java with Spring Boot 4, beside JPA or JDBC",
    language=JAVA,
    placeholder="?",
    files=_files("java-spring", {}, "Event.java", "Outbox.java", "Inbox.java"),
    loop=_files("java-spring", {}, "KafkaInbox.java"),
    barrier=_files("java-spring", {}, "Barrier.java"),
    loop_modes=EVERY_MODE,
    inbox_modes=EVERY_MODE,
    expressions={
        "id": "id.toString()",  # not every driver supports UUID
        "aggregate": "event.aggregate()",
        "aggregate_id": "aggregateId",
        "type": "event.type()",
        "payload": "encoded(event)",
        "trace": "traceparent()",
        "parameter": "{}",
        "parameter uuid": "{0}.toString()",
        "optional uuid": "Objects.toString({0}, null)",
    },
)
CSHARP_EFCORE = Target(
    name="csharp-efcore",
    title="C# with EF Core 9 or later",
    language=CSHARP,
    placeholder="{{{i}}}",
    files=_files("csharp-efcore", {}, "Events.cs", "Outbox.cs", "Inbox.cs"),
    loop=_files("csharp-efcore", {}, "Consumer.cs"),
    loop_modes=EVERY_MODE,
    barrier=_files("csharp-efcore", {}, "Barrier.cs"),
    inbox_modes=EVERY_MODE,
    expressions={
        "id": "Guid.NewGuid()",
        "aggregate": "message.Aggregate",
        "aggregate_id": "aggregateId",
        "type": "message.Type",
        "payload": "Encoded(message)",
        "trace": "Activity.Current?.Id",
        "parameter": "{}",
    },
    escapes={"{": "{{", "}": "}}"},
    rows=True,
)

STACKS = (
    PYTHON_PSYCOPG,
    PYTHON_SQLALCHEMY,
    PYTHON_DJANGO,
    PYTHON_PYMONGO,
    JAVA_SPRING,
    GO_PGX,
    GO_SQL,
    CSHARP_EFCORE,
    NODE_PG,
    NODE_MYSQL2,
    NODE_PRISMA,
    NODE_MONGODB,
)
ALL = {target.name: target for target in STACKS}


def get(name: str) -> Target:
    """A stack by its name. Raises UnknownName with the nearest one."""
    if name not in ALL:
        raise UnknownName(
            f"no target '{name}'{nearest(name, list(ALL))}", fix="see them with: outbox-kit gen-code --list"
        )
    return ALL[name]
