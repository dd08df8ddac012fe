"""Every statement for Oracle, as the grammar reads it by which its connector reads the log's DDL."""

import re
import shlex
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import jpype
import pytest
import sqlalchemy
from sqlalchemy.dialects.oracle.oracledb import OracleDialect_oracledb

from outbox_kit.adopt.additions import key_column
from outbox_kit.adopt.proposal import Address, proposal
from outbox_kit.databases.oracle import catalogue, ledger, objects, probe
from outbox_kit.databases.oracle.apply import COLUMNS, FACTS, GRANTEES, HELD, LOG, OWNER, PLUGGABLE, separate
from outbox_kit.databases.oracle.facts import ORACLE
from outbox_kit.render import code, connector, ddl, migration
from outbox_kit.render.code import targets
from outbox_kit.render.code.statement import INBOX_MODES, inbox, insert, once
from outbox_kit.render.runbook import runbook
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.presets import spread
from outbox_kit.wire.copies import copies
from outbox_kit.wire.routes import Routes
from tests.support import example_files, hostile, passed
from tests.support.inbox_modes import with_mode
from tests.support.jvm import JARS, ORACLE_JAR, class_of, made
from tests.support.oracle_relay import relayed
from tests.support.owners import TABLES, found
from tests.support.pairs import NOTHING, outbox_of, pairs_of

LINE = "3.6.1.Final"
GRAMMAR = "io.debezium.ddl.parser.oracle.generated.PlSql"
EXAMPLES = Path(__file__).parents[1] / "examples"
OWNERS = [outbox for outbox in example_files.of("presets") if outbox.database.dialect == "oracle"]
OUTBOXES = [*example_files.of("oracle"), *OWNERS]
RELAYS = example_files.of("relay-oracle")
PAIRS = pairs_of("oracle") | {
    "other writers": (
        f"{NOTHING}\ntable: {{retention: delete_on_insert}}\n---writers: [shop, batch]",
        f"{NOTHING}\n---writers: [web, batch]",
    )
}
INNER = re.compile(r"execute immediate\s+((?:'(?:[^']|'')*'|[^';])+);")
PIECE = re.compile(r"'(?:[^']|'')*'|\w[^|]*")
PUT_IN = {"enquote_name": '"NAME"', "privilege": "select", "last": "42"}  # for what a block finds out by itself
DDL = re.compile(r"\s*(create|alter|drop) (table|unique|index)|\s*comment on")
MARK = re.compile(r"%s|\?|\{\d\}")  # of a bound value, which a driver makes Oracle's
UNSEEN = re.compile(r'(alter|drop) table "SHOP"\."\w+_BEFORE"')
CONNECTOR = "io.debezium.connector.oracle"
SECOND_NAME = "AS_OF_ITS_BEGINNING"  # of a table, until the connector puts a position there


@cache
def understood(statement: str) -> str:
    """What the grammar has against a statement; empty if nothing."""
    complaints: list[str] = []

    def parse() -> None:
        complaints.extend(_complaints(statement))
        assert not complaints

    with suppress(AssertionError):
        passed.once("Oracle's grammar", parse, LINE, JARS, statement)
    return "; ".join(complaints)


def _complaints(statement: str) -> list[str]:
    complaints: list[str] = []

    @jpype.JImplements(class_of("org.antlr.v4.runtime.ANTLRErrorListener", LINE))
    class Listener:
        @jpype.JOverride
        def syntaxError(self, _recognizer: Any, _symbol: Any, line: int, column: int, message: str, _e: Any) -> None:
            complaints.append(f"{line}:{column} {message}")

        @jpype.JOverride
        def reportAmbiguity(self, *_args: Any) -> None: ...

        @jpype.JOverride
        def reportAttemptingFullContext(self, *_args: Any) -> None: ...

        @jpype.JOverride
        def reportContextSensitivity(self, *_args: Any) -> None: ...

    lexer = class_of(f"{GRAMMAR}Lexer", LINE)(class_of("org.antlr.v4.runtime.CharStreams", LINE).fromString(statement))
    parser = class_of(f"{GRAMMAR}Parser", LINE)(class_of("org.antlr.v4.runtime.CommonTokenStream", LINE)(lexer))
    for part in (lexer, parser):
        part.removeErrorListeners()
        part.addErrorListener(Listener())
    parser.sql_script()
    return complaints


def inner(statement: str) -> list[str]:
    """The statements that a block runs; what it finds out by itself is put in."""
    return ["".join(map(_piece, PIECE.findall(expression))) for expression in INNER.findall(statement)]


def _piece(found: str) -> str:
    if found.startswith("'"):
        return found[1:-1].replace("''", "'")
    return next((text for word, text in PUT_IN.items() if word in found), "")


def as_the_grammar_has_it(statement: str) -> str:
    """It is older than users without a password (18c), and takes a session's settings as words only."""
    known = re.sub(r'^(create user "[^"]+") no authentication', r"\1 identified externally", statement)
    return known.replace("set ddl_lock_timeout = 10", "set ddl_lock_timeout = ten")


@pytest.mark.parametrize("outbox", [*OUTBOXES, *RELAYS], ids=lambda outbox: outbox.service)
@pytest.mark.parametrize("made", [ddl.OUTBOX, ddl.INBOX, ddl.BARRIER], ids=["outbox", "inbox", "barrier"])
@pytest.mark.parametrize("script", [ddl.up, ddl.down])
def test_the_scripts(outbox: Outbox, script: Any, made: ddl.Script) -> None:
    body = ddl.body(outbox, made, remove=script is ddl.down)
    assert script(outbox, made).endswith(body)
    statements = list(separate(body))
    assert len(statements) == len(re.findall(r"^/$", body, re.MULTILINE)) >= 3
    run = [one for statement in statements for one in inner(statement)]
    assert len(run) == body.count("execute immediate")
    found = {statement: understood(as_the_grammar_has_it(statement)) for statement in [*statements, *run]}
    assert {statement: why for statement, why in found.items() if why} == {}


@pytest.mark.parametrize("what", ["two quotes", "quote", "shell", "format", "slash", "hyphen", "unicode", "long"])
def test_the_scripts_of_hostile_names(what: str) -> None:
    ((_, outbox),) = hostile.outboxes("oracle", among=[what])
    held = {"feed": outbox.table.source, "writer": outbox.database.writers, "header": outbox.table.extra}
    plain = Outbox.model_validate(hostile.file("oracle", "x", tuple(field for field, value in held.items() if value)))
    for script in (ddl.up, ddl.down):
        statements, usual = (list(separate(script(one))) for one in (outbox, plain))
        assert len(statements) == len(usual)  # no name ends a statement
        if script is ddl.up:
            continue  # the feed's expressions are put together by the server's own rules
        run = [one for statement in statements for one in inner(statement)]
        refused = {one: why for one in [*statements, *run] if (why := understood(as_the_grammar_has_it(one)))}
        assert refused == {}


@pytest.mark.parametrize("outbox", OWNERS, ids=lambda outbox: outbox.service)
def test_tables_of_somebody_else_s_are_left_to_them(outbox: Outbox) -> None:
    fed = outbox.table.source
    theirs = f'"SHOP"."{outbox.table.name}"' if fed is None else f'"{fed.db_schema or "SHOP"}"."{fed.table}"'
    for script in (ddl.up(outbox), ddl.down(outbox)):
        touched = re.findall(rf"(create|alter|drop) table {re.escape(theirs)}(.*)", script)
        assert [rest for _, rest in touched if "supplemental" not in rest] == []
    # nothing is switched on that was not compiled before
    triggers = re.findall(r"^create or replace trigger .* for each row(.*)$", ddl.up(outbox), re.MULTILINE)
    assert triggers == ([" disable", ""] if fed else [])


@pytest.mark.parametrize("outbox", OUTBOXES, ids=lambda outbox: outbox.service)
def test_what_is_asked_of_a_server(outbox: Outbox) -> None:
    config = connector.config(outbox)
    heartbeat = '"S"."H"'
    values = [[ledger._text(part) for part in copies(outbox)], [ledger._whole(part) for part in copies(outbox)]]
    asked = [FACTS, COLUMNS, LOG, PLUGGABLE, OWNER, GRANTEES, HELD, probe.END_OF_LOG, probe.DESTINATIONS, probe.KEPT]
    asked += [objects.TABLES, objects.LOGGED, objects.WHOLE_LOG, objects.STATUS]
    asked += [objects.ROLES, objects.SYSTEM, objects.OBJECTS]
    asked += [probe.BEAT.format(heartbeat=heartbeat), probe.AGE.format(heartbeat=heartbeat)]
    asked += [] if outbox.table.existing else [probe.inserted(outbox), probe.removed(outbox)]
    asked += [
        ledger.statement(outbox, ledger.ROWS, values[0]),
        ledger.statement(outbox, ledger.ROWS + ledger.AMONG, values[1]),
    ]
    asked += [ledger.statement(outbox, query) for query in (ledger.OLDEST, ledger.LOWEST)] + [ledger.TYPES]
    asked += [config["heartbeat.action.query"]]
    asked += [name for key, name in config.items() if key.startswith("snapshot.select.statement.overrides.")]
    asked += [query.replace(SECOND_NAME, "AS OF SCN 42") for query in asked if SECOND_NAME in query]
    assert config.get("internal.snapshot.enhance.predicate.scn") == SECOND_NAME
    assert {query: why for query in asked if (why := understood(query))} == {}


@pytest.mark.parametrize("outbox", OUTBOXES, ids=lambda outbox: outbox.service)
def test_what_the_application_writes(outbox: Outbox) -> None:
    assert ORACLE.code
    for target in code.fitting(outbox):
        for write in (insert, once):
            sql = "\n".join(write(outbox, target, ORACLE, ORACLE.code))
            if target.name == "python-sqlalchemy":
                sql = str(sqlalchemy.text(sql).compile(dialect=OracleDialect_oracledb()))
            assert understood(MARK.sub(":1", sql)) == "", (target.name, sql)
    for mode in INBOX_MODES:
        bound = inbox(with_mode(outbox, mode), targets.get("go-sql"), ORACLE, ORACLE.code)
        assert {name: understood("\n".join(each.lines)) for name, each in bound.items()} == dict.fromkeys(bound, "")
        assert len(bound) >= 3


@pytest.mark.parametrize("outbox", [*OUTBOXES, *RELAYS], ids=lambda outbox: outbox.service)
def test_what_the_runbook_says_to_type(outbox: Outbox) -> None:
    typed = re.findall(r"""^ *ask (['"].+['"])$""", runbook(Routes(outbox)), re.MULTILINE)
    assert len(typed) >= 3
    for written in typed:
        (statement,) = shlex.split(written)
        plain = re.sub(r"\$\(date[^)]*\)", "2026-01-01", statement).replace("\\", "")
        assert understood(plain) == "", plain


def test_what_relays_say_to_a_server() -> None:
    """Of the second outbox everything, of the others what depends on their columns."""
    first, second, *marked = map(relayed, RELAYS)
    asked = [*second, *(query for query in first if re.search(r'"POLLED"', query))]
    asked += [query for queries in marked for query in queries if re.search(r'"(MARKED|MESSAGES)"', query)]
    assert {query: why for query in asked if (why := understood(query))} == {}
    assert len(second) > 25 and not [query for query in asked if "{" in re.sub(r'"[^"]*"', "", query)]


def logged(script: str) -> list[str]:
    """A script's DDL, but for that of a table that is not captured. A rename is told of the name before."""
    statements = [one for block in separate(script) for one in inner(block) or [block]]
    return [statement for statement in statements if DDL.match(statement) and not UNSEEN.match(statement)]


class Believed:
    """What the connector believes of tables, by the DDL that it has found in the log."""

    def __init__(self) -> None:
        self.parser = made(f"{CONNECTOR}.antlr.OracleDdlParser", LINE, ORACLE_JAR)
        self.tables = made("io.debezium.relational.Tables", LINE, ORACLE_JAR)

    def read(self, statements: Iterable[str]) -> None:
        """Throws where the task would fail."""
        for statement in statements:
            self.parser.setCurrentDatabase("SHOP")
            self.parser.setCurrentSchema("SHOP")
            self.parser.parse(f"{statement};", self.tables)

    def columns(self, table: str) -> set[tuple[str, ...]]:
        found = self.tables.forTable("SHOP", "SHOP", table)
        return {(str(c.name()), str(c.typeExpression()), str(c.length()), str(c.isOptional())) for c in found.columns()}


def outboxes(pair: str, *, back: bool) -> list[Outbox]:
    return [outbox_of(more, "oracle") for more in PAIRS[pair][:: -1 if back else 1]]


@pytest.mark.parametrize("pair", sorted(PAIRS))
@pytest.mark.parametrize("back", [False, True])
def test_a_migration_and_what_the_connector_believes_after_it(pair: str, back: bool) -> None:
    old, new = outboxes(pair, back=back)
    script = migration.script(old, new, destructive=True).replace(ORACLE.ddl.preamble, "")
    statements = list(separate(script))
    run = [one for statement in statements for one in inner(statement)]
    assert len(run) == script.count("execute immediate")
    found = {statement: understood(as_the_grammar_has_it(statement)) for statement in [*statements, *run]}
    assert {statement: why for statement, why in found.items() if why} == {}
    migrated, created = logged(ddl.up(old)) + logged(script), logged(ddl.up(new))

    def believe() -> None:
        changed, fresh = Believed(), Believed()
        changed.read(migrated)
        fresh.read(created)
        assert changed.columns(new.table.name) == fresh.columns(new.table.name)

    passed.once("Oracle's connector", believe, LINE, JARS, new.table.name, *migrated, "", *created)


def test_the_connector_fails_of_an_index_that_is_made_online() -> None:
    plain = 'create index "SHOP"."X" on "SHOP"."OUTBOX" ("ID")'
    assert understood(plain) == "" and understood(f"{plain} online")


@pytest.mark.parametrize("name", sorted(TABLES["oracle"]))
def test_what_is_adopted(name: str) -> None:
    one = found("oracle")[name]
    proposed = proposal(one, Address("shop", "SHOP", container="ORCLCDB"))
    outbox = Outbox.model_validate(spread(proposed.file))
    asked = [*separate(ddl.body(outbox)), *separate("" if one.is_fed else key_column(one))]
    refused = {statement: why for statement in asked if (why := understood(as_the_grammar_has_it(statement)))}
    assert refused == {}


def test_what_a_catalogue_is_asked() -> None:
    sql = (catalogue.PLACE, catalogue.VERSION, catalogue.TABLES, catalogue.COLUMNS, catalogue.INDEXES)
    assert [understood(one) for one in (*sql, catalogue.TRIGGERS, catalogue.COUNTED)] == [""] * 7


def test_it_knows_nonsense() -> None:
    fed = next(one for one in OWNERS if one.table.source)
    assert understood(ddl.up(fed).partition("create or replace trigger")[2].replace("loop", "lop", 1))
    assert understood("create tabel x (a number)")
