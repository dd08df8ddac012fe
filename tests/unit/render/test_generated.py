"""What holds for every schema file: the same bytes, known options, quoted names, no secret."""

import json
import re

from hypothesis import given, settings

from outbox_kit.render import connector, ddl, deployed, targets
from outbox_kit.router import options
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version
from outbox_kit.wire import order
from tests.unit.render.outboxes import outboxes


@given(outboxes())
@settings(max_examples=60)
def test_every_option_is_known_alive_and_text_and_the_bytes_are_the_same_twice(outbox: Outbox) -> None:
    config = connector.config(outbox)
    release = Version.of(outbox.connect.debezium)
    for name, value in config.items():
        option = options.resolve(config, name).option
        assert option is not None and option.is_supported(release), name
        assert isinstance(value, str) and value
        assert option.type != "password" or value.startswith("${")
        assert not option.values or value in option.values, name
    groups = [list(order.GROUPS).index(order.group(name)) for name in config]
    assert groups == sorted(groups)
    document = targets.document(targets.DEFAULT, deployed.deployed(outbox))
    assert document == targets.document(targets.DEFAULT, deployed.deployed(outbox))
    assert json.loads(document)["config"] == config
    assert all(option.why for option in connector.explain(outbox))


def in_tables(outbox: Outbox) -> bool:
    return not outbox.dialect.documents


@given(outboxes().filter(in_tables))
@settings(max_examples=60)
def test_every_name_in_the_sql_is_quoted_and_no_comment_ends_early(outbox: Outbox) -> None:
    script = ddl.up(outbox)
    dialect = outbox.dialect
    assert script == ddl.up(outbox)
    assert dialect.quote_ident(outbox.names.schema, outbox.table.name) in script
    for name in outbox.column_names:
        assert dialect.quote_ident(name) in script
    # a literal can go over several lines
    told = re.sub(r"^ *--.*| -- .*", "", script, flags=re.MULTILINE)  # a comment may have half a pair of quotes
    code = re.sub(r'"(?:[^"]|"")*"|\[(?:[^]]|\]\])*\]|`(?:[^`]|``)*`|\'(?:[^\']|\'\')*\'', "", told)
    assert "§" not in code  # the sequence's name, outside of quotes


@given(outboxes().filter(in_tables))
@settings(max_examples=100)
def test_the_router_s_pattern_matches_the_raw_topic_alone(outbox: Outbox) -> None:
    config = connector.config(outbox)
    pattern = re.compile(config["predicates.isOutbox.pattern"])
    derived, dialect = outbox.names, outbox.dialect
    parts = {"database": derived.database, "schema": derived.schema, "table": outbox.table.name}
    raw = re.sub(r"[^A-Za-z0-9._-]", "_", dialect.capture.raw_topic.format(prefix=outbox.service, **parts))
    assert pattern.fullmatch(raw)
    assert not pattern.fullmatch(f"{raw}_heartbeat")
    tables = [re.compile(part) for part in config["table.include.list"].split(",")]
    assert tables[0].fullmatch(dialect.capture.table_list_format.format(**parts))
