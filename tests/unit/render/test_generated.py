"""What holds for every schema file: the same bytes, known options, quoted names, no secret."""

import json
import re

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from outbox_kit import dialects
from outbox_kit.render import connector, ddl
from outbox_kit.router import options
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names
from outbox_kit.versions import Version

NAME = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"), exclude_characters=",:%"),
    min_size=1,
    max_size=20,
).filter(lambda name: name.strip() == name and len(name.encode()) <= 30)
WORD = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,20}", fullmatch=True)


@st.composite
def outboxes(draw: st.DrawFn) -> Outbox:
    names = draw(st.lists(NAME, min_size=8, max_size=8, unique=True))
    columns = dict(zip(("id", "aggregate_type", "aggregate_id", "type", "payload", "created_at"), names, strict=False))
    pairs = draw(st.lists(st.tuples(WORD, NAME), min_size=1, max_size=5, unique=True))
    dialect = dialects.named(draw(st.sampled_from(sorted(dialects.ALL))))
    assume(not set("".join(names)) & set(dialect.limits.forbidden))
    assume(not any(re.search(pattern, name) for name in names for pattern in dialect.limits.refused))
    assume(dialect.schema or not set(names[6]) & set(dialect.limits.not_in_database))
    words = "\n".join([*names, *(kind for _, kind in pairs)])
    assume(not any(mark in words for mark in dialect.limits.marks))
    assume(dialect.limits.length(names[7]) <= dialect.limits.table)
    assume(not dialect.unquoted or len({name.upper() for name in names}) == len(names))
    schema = "schema" if dialect.schema else "name"
    releases = ["2.7", "3.0", "3.5", "3.6", "3.6.1.Final", "3.7"]
    return Outbox.model_validate(
        {
            "service": draw(st.from_regex(r"[a-z][a-z0-9-]{0,15}", fullmatch=True)),
            "database": {
                "dialect": dialect.name,
                schema: names[6],
                "user": "reader",
                "version": draw(st.sampled_from([None, "16", "18"])),
            },
            "table": {
                "name": names[7],
                "columns": columns,
                "payload": draw(st.sampled_from(["json", "text", "bytes"])),
                "retention": draw(st.sampled_from(dialect.retentions)),
            },
            "ordering": draw(
                st.sampled_from(
                    [{"sequence": None}, {"sequence": "§seq"}, {"sequence": "§s", "assigned_by": "application"}]
                )
            ),
            "delivery": draw(st.sampled_from(["at-least-once", "exactly-once"])),
            "events": [
                {"aggregate": aggregate, "type": kind, "tombstone": draw(st.booleans())} for aggregate, kind in pairs
            ],
            "connect": {
                "debezium": draw(
                    st.sampled_from([r for r in releases if Version.of(r) >= Version.of(dialect.capture.since)])
                ),
                "snapshot": "no_data" if "]" in names[6] + names[7] else "initial",  # SQL Server's cannot be sorted
            },
        }
    )


@given(outboxes())
@settings(max_examples=150)
def test_every_option_is_known_alive_and_text_and_the_bytes_are_the_same_twice(outbox: Outbox) -> None:
    config = connector.config(outbox)
    release = Version.of(outbox.connect.debezium)
    for name, value in config.items():
        option = options.resolve(config, name).option
        assert option is not None and option.alive(release), name
        assert isinstance(value, str) and value
        assert option.type != "password" or value.startswith("${")
        assert not option.values or value in option.values, name
    assert list(config) == sorted(config)
    assert connector.document(outbox) == connector.document(outbox)
    assert json.loads(connector.document(outbox))["config"] == config
    assert all(why for _, _, why in connector.explain(outbox))


def in_tables(outbox: Outbox) -> bool:
    return not dialects.named(outbox.database.dialect).documents


@given(outboxes().filter(in_tables))
@settings(max_examples=150)
def test_every_name_in_the_sql_is_quoted_and_no_comment_ends_early(outbox: Outbox) -> None:
    script = ddl.up(outbox)
    dialect = dialects.named(outbox.database.dialect)
    assert script == ddl.up(outbox)
    assert dialect.ident(names(outbox).schema, outbox.table.name) in script
    for name in outbox.column_names:
        assert dialect.ident(name) in script
    # a literal can go over several lines
    told = re.sub(r"^ *--.*| -- .*", "", script, flags=re.MULTILINE)  # a comment may have half a pair of quotes
    code = re.sub(r'"(?:[^"]|"")*"|\[(?:[^]]|\]\])*\]|`(?:[^`]|``)*`|\'(?:[^\']|\'\')*\'', "", told)
    assert "§" not in code  # the sequence's name, outside of quotes


@given(outboxes().filter(in_tables))
@settings(max_examples=100)
def test_the_router_s_pattern_matches_the_raw_topic_alone(outbox: Outbox) -> None:
    config = connector.config(outbox)
    pattern = re.compile(config["predicates.isOutbox.pattern"])
    derived, dialect = names(outbox), dialects.named(outbox.database.dialect)
    parts = {"database": derived.database, "schema": derived.schema, "table": outbox.table.name}
    raw = re.sub(r"[^A-Za-z0-9._-]", "_", dialect.capture.raw_topic.format(prefix=outbox.service, **parts))
    assert pattern.fullmatch(raw)
    assert not pattern.fullmatch(f"{raw}_heartbeat")
    tables = [re.compile(part) for part in config["table.include.list"].split(",")]
    assert tables[0].fullmatch(dialect.capture.listed.format(**parts))
