"""The runbook of an outbox: Markdown with its names and complete commands. Pure."""

import re
import shlex
from collections.abc import Mapping

from outbox_kit.render import text
from outbox_kit.render.marked import is_published, is_unpublished, unpublish
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import address
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.headers import header_specs
from outbox_kit.wire.routes import Routes

# one template for each chapter, in order; a dialect has its own chapters between
BEFORE = ("title", "paused", "task-failed", "unreachable")
AFTER = (
    "nothing-arrives",
    "verify-failed",
    "topics",
    "duplicates",
    "resend",
    "redeploy",
    "retention",
    "removal",
)
# the same if a relay publishes: those about its log, and those about Kafka, are left out if there is none
OF_RELAY = (
    "relay-title",
    "relay-stopped",
    "relay-lanes",
    "relay-unreachable",
    "relay-slot",
    "relay-verify",
    "relay-lost",
    "relay-duplicates",
    "relay-changes",
    "relay-hand-over",
    "resend",
    "retention",
    "relay-removal",
)
SINKS = {"kafka": "Kafka", "rabbitmq": "RabbitMQ", "http": "the HTTP service"}
POSITION = ("table", "position")
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
OF_LOG = frozenset({"relay-slot"})
HAND_OVER, OF_HAND_OVER = "hand-over", frozenset({"relay-hand-over"})
"""The chapter of a connector's runbook, on databases with a hand-over, and the one of a relay's."""
OF_KAFKA = frozenset({"relay-verify", "relay-lost", "relay-hand-over"})


def runbook(routes: Routes, *, arguments: tuple[str, ...] = ()) -> str:
    """The runbook of one outbox.

    routes: the topics of its events. arguments: the options by which every command finds this outbox, such as
    `-f services/orders.yaml`.
    """
    return "\n".join(_chapter_texts(routes, arguments).values())


def anchors(routes: Routes) -> Mapping[str, str]:
    """The anchor of each chapter's first heading in the runbook, by the name of its template."""
    headings = {name: HEADING.search(chapter) for name, chapter in _chapter_texts(routes).items()}
    return {name: anchor(heading[1]) for name, heading in headings.items() if heading is not None}


def anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub and most renderers of Markdown make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _chapter_texts(routes: Routes, arguments: tuple[str, ...] = ()) -> Mapping[str, str]:
    """The chapters of the runbook by the names of their templates, in order. Parameters as for `runbook`."""
    outbox = routes.outbox
    dialect = outbox.dialect
    context = {
        "outbox": outbox,
        "routes": routes,
        "names": outbox.names,
        "topics": connector_topics(outbox),
        "headers": ", ".join(text.code_cell(spec.name) for spec in header_specs(routes)),
        "flags": "".join(f" {shlex.quote(argument)}" for argument in arguments),
        "probe": f"{'' if outbox.table.existing else ' --probe'} --yes",
        "new_password": dialect.runbook.password_statement.format(role=dialect.quote_ident(outbox.names.role)),
        "dsn": address(outbox),
        "resends": resends(outbox),
        "reads_log": outbox.delivery.source == "log",
        "sink": SINKS[outbox.delivery.sink],
        "by_position": outbox.delivery.by == "relay" and (outbox.delivery.source, outbox.delivery.record) == POSITION,
        **_parts_of_statements(outbox),
    }
    return {chapter: text.markdown(f"runbook/{chapter}.md.j2", dialect, **context) for chapter in _chapters(outbox)}


def _parts_of_statements(outbox: Outbox) -> dict[str, str]:
    """Names and conditions as the database quotes them, some of them within a shell's quotes."""
    names, columns, ident = outbox.names, outbox.table.columns, outbox.dialect.quote_ident
    table, created_at = ident(names.schema, outbox.table.name), ident(columns.created_at) if columns.created_at else ""
    literal, lane_table = outbox.dialect.quote_literal(table), ident(names.schema, names.lane_table)
    return {
        "table": table,
        "table_literal": text.in_shell(literal),
        "table_in_shell": text.in_shell(table),
        "table_in_text": text.in_shell(literal[1:-1]) if is_published(outbox) else "",
        "created_at": created_at,
        "created_at_in_shell": text.in_shell(created_at),
        "heartbeat": ident(names.schema, names.heartbeat_table),
        "order": ident(outbox.order_column),
        "type": ident(columns.type),
        "slot": outbox.dialect.quote_literal(names.slot),
        "is_published": is_published(outbox),
        "published_in_shell": text.in_shell(is_published(outbox)),
        "is_unpublished": is_unpublished(outbox),
        "unpublished_in_shell": text.in_shell(is_unpublished(outbox)),
        "unpublish": unpublish(outbox),
        "member_table": ident(names.schema, names.member_table),
        "lane_table": lane_table,
        "lane_table_in_shell": text.in_shell(lane_table),
        "transaction_in_shell": text.in_shell(ident(names.transaction_column)),
    }


def resends(outbox: Outbox) -> bool:
    """Whether published events have rows that can be published again, and the kit has statements for that."""
    deletes = outbox.delivery.by == "relay" and outbox.delivery.source == "table" and outbox.delivery.record == "delete"
    return outbox.dialect.runbook.resends and outbox.table.keeps_rows and not deletes


def _chapters(outbox: Outbox) -> list[str]:
    """The chapters of an outbox's runbook, in order."""
    left_out = set() if resends(outbox) else {"resend"}
    return [chapter for chapter in _all_chapters(outbox) if chapter not in left_out]


def _all_chapters(outbox: Outbox) -> list[str]:
    if outbox.delivery.by != "relay":
        return [*BEFORE, *outbox.dialect.runbook.chapters, *AFTER]
    without_log = OF_LOG if outbox.delivery.source != "log" else frozenset()
    without_kafka = OF_KAFKA if outbox.delivery.sink != "kafka" else frozenset()
    without_hand_over = frozenset() if HAND_OVER in outbox.dialect.runbook.chapters else OF_HAND_OVER
    left_out = without_log | without_kafka | without_hand_over
    chapters = [chapter for chapter in OF_RELAY if chapter not in left_out]
    at = chapters.index("relay-unreachable")
    return [*chapters[:at], *(outbox.dialect.runbook.polled_chapters if outbox.delivery.polls else ()), *chapters[at:]]
