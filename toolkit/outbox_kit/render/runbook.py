"""The runbook of an outbox, in Markdown and HTML, with its names and complete commands. Pure."""

import re
import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count, pairwise
from typing import Any

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.monitoring.alerts import alerts
from outbox_kit.render import chapters, text
from outbox_kit.render.chapters import Chapter
from outbox_kit.render.marked import is_published, is_unpublished, unpublish
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import address
from outbox_kit.schema.words import SINK_TITLES
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.headers import header_specs
from outbox_kit.wire.routes import Routes

POSITION = ("table", "position")
RELAY = "relay"
HISTORY = "schema.history.internal.kafka.topic"
STEP = lazy_pattern(r"^\d+\. ", re.MULTILINE)
HAND_OVER = "hand-over"
"""The chapter of databases in which a connector can hand over to a relay, and back."""


def runbook(routes: Routes, *, arguments: tuple[str, ...] = ()) -> str:
    """The runbook of one outbox.

    routes: the topics of its events. arguments: the options by which every command finds this outbox, such as
    `-f services/orders.yaml`.
    """
    outbox = routes.outbox
    chosen = chosen_chapters(outbox)
    titles = {chapter.id: _title(chapter, outbox) for chapter in chosen}
    context = _context(routes, arguments) | {"chapter": partial(_reference, titles)}
    head = "relay-title" if outbox.delivery.by == RELAY else "title"
    fired = alerts_by_chapter(outbox)
    parts = [text.markdown(f"runbook/{head}.md.j2", outbox.dialect, **context), _contents(chosen, titles, fired)]
    for chapter in chosen:
        body = text.markdown_text(chapter.body, outbox.dialect, **context, severity=chapter.severity)
        parts.append(_chapter(chapter, titles[chapter.id], fired.get(chapter.id, ()), body))
    return "\n".join(parts)


def html(routes: Routes, *, arguments: tuple[str, ...] = ()) -> str:
    """The same runbook as one HTML page that needs no other file; see `runbook`."""
    return text.page(runbook(routes, arguments=arguments), title=f"Runbook: the outbox of {routes.outbox.service}")


def anchors(routes: Routes) -> Mapping[str, str]:
    """The anchor of each chapter of the runbook, by its id. routes: as for `runbook`."""
    return {chapter.id: chapter.id for chapter in chosen_chapters(routes.outbox)}


def chosen_chapters(outbox: Outbox) -> Sequence[Chapter]:
    """The chapters that apply to an outbox, in order."""
    properties = _properties(outbox)
    return [
        chapter
        for chapter in chapters.of(outbox.dialect)
        if chapter.delivery in (outbox.delivery.by, chapters.ANY)
        and all(properties[name] == value for name, value in chapter.when.items())
    ]


def _properties(outbox: Outbox) -> dict[str, object]:
    """What the `when` of a chapter can name."""
    dialect = outbox.dialect
    listed = {chapter.id for chapter in chapters.of(dialect) if chapter.delivery == "connector"}
    return {
        "source": outbox.delivery.source,
        "sink": outbox.delivery.sink,
        "storage": outbox.table.storage,
        "polls": outbox.delivery.polls,
        "resends": resends(outbox),
        "slot": dialect.capture.uses_slot,
        "measured": dialect.capture.measured,
        "history": HISTORY in dialect.capture.options,
        "hand_over": HAND_OVER in listed,
    }


def _title(chapter: Chapter, outbox: Outbox) -> str:
    sink = SINK_TITLES[outbox.delivery.sink]
    unsent = "Rows stay unpublished" if is_published(outbox) else "Rows stay in the table"
    rows = "documents" if outbox.dialect.documents else "rows"
    return chapter.title.format(sink=sink[:1].upper() + sink[1:], rows=rows, unsent=unsent)


def _reference(titles: Mapping[str, str], name: str) -> str:
    """A link to a chapter of the same runbook. Raises KeyError for one that it does not have."""
    return f"[{titles[name]}](#{name})"


def alerts_by_chapter(outbox: Outbox) -> Mapping[str, Sequence[str]]:
    """The names of the alerts of an outbox by the id of the chapter that they lead to."""
    fired: dict[str, list[str]] = {}
    for alert in alerts(outbox):
        fired.setdefault(alert.chapter, []).append(alert.name)
    return fired


def _contents(chosen: Sequence[Chapter], titles: Mapping[str, str], fired: Mapping[str, Sequence[str]]) -> str:
    """The table of the chapters, with the alerts and findings that lead to each. fired: see `alerts_by_chapter`."""
    lines = ["| chapter | severity | alerts and findings |", "|---|---|---|"]
    for chapter in chosen:
        causes = ", ".join(f"`{name}`" for name in (*fired.get(chapter.id, ()), *chapter.findings))
        lines.append(f"| {_reference(titles, chapter.id)} | {chapter.severity} | {causes} |")
    return "\n".join([*lines, ""])


def _chapter(chapter: Chapter, title: str, fired: Sequence[str], body: str) -> str:
    """A chapter with its anchor, its heading and its facts; its steps are numbered in order."""
    facts = [
        f"- **{name}:** {', '.join(f'`{entry}`' for entry in entries)}"
        for name, entries in (
            ("Alerts", fired),
            ("Findings", chapter.findings),
            ("Drills", [f"outbox-kit drill {drill}" for drill in chapter.drills]),
        )
        if entries
    ]
    separator = "" if body.startswith("- **") or not facts else "\n"
    number = count(1)
    steps = STEP.sub(lambda _: f"{next(number)}. ", body)
    listed = "".join(f"{line}\n" for line in facts)
    return f'<a id="{chapter.id}"></a>\n\n## {title}\n\n{listed}{separator}{steps}'


def _context(routes: Routes, arguments: tuple[str, ...]) -> dict[str, Any]:
    """What the templates of chapters can name."""
    outbox = routes.outbox
    dialect = outbox.dialect
    return {
        "outbox": outbox,
        "routes": routes,
        "names": outbox.names,
        "topics": connector_topics(outbox),
        "headers": ", ".join(text.code_cell(spec.name) for spec in header_specs(routes)),
        "flags": "".join(f" {shlex.quote(argument)}" for argument in arguments),
        "checked": "".join(f" {shlex.quote(path)}" for option, path in pairwise(arguments) if option == "-f"),
        "probe": f"{'' if outbox.table.existing else ' --probe'} --yes",
        "new_password": dialect.runbook.password_statement.format(role=dialect.quote_ident(outbox.names.role)),
        "dsn": address(outbox),
        "resends": resends(outbox),
        "reads_log": outbox.delivery.source == "log",
        "sink": SINK_TITLES[outbox.delivery.sink],
        "by_position": outbox.delivery.by == RELAY and (outbox.delivery.source, outbox.delivery.record) == POSITION,
        "history": HISTORY in dialect.capture.options,
        **_parts_of_statements(outbox),
    }


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
    deletes = outbox.delivery.by == RELAY and outbox.delivery.source == "table" and outbox.delivery.record == "delete"
    return outbox.dialect.runbook.resends and outbox.table.keeps_rows and not deletes
