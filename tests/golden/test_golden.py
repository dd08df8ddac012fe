"""What is generated, and the printed pages, byte for byte. `pytest tests/golden --update-golden` rewrites them."""

import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from outbox_kit import databases
from outbox_kit.connect import plan
from outbox_kit.coordinator import openapi
from outbox_kit.coordinator.operations import all_operations
from outbox_kit.explain import monitoring, options, rules, schema_file
from outbox_kit.printable import as_json
from outbox_kit.render import code, connector, ddl, deployed, migration, server_sinks, targets
from outbox_kit.render.code import barrier, statement
from outbox_kit.render.code.targets import Target
from outbox_kit.render.runbook import html, runbook
from outbox_kit.schema.jsonschema import jsonschema
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.routes import Routes
from tests.support import drilled, example_files, faults, reference, traps
from tests.support.inbox_modes import with_mode
from tests.support.pairs import outbox_of, pairs_of
from tests.support.statements import statements

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
PAIRED = ("an event more", "columns more", "other names", "partitions", "json to text", "the first tombstone")
MIGRATIONS = {
    "postgres": (*PAIRED, "a relay", "no relay"),
    "mysql": (*PAIRED, "a relay", "no relay"),
    "oracle": (*PAIRED, "a relay", "no relay"),
    "sqlserver": (
        *("columns more", "no version", "numbers by another name", "the first tombstone", "a relay", "no relay"),
    ),
    "mongodb": ("columns more", "other names"),
}


# whose code is reviewed, a stack's first two; of all others the statements are, and compilers take their code
REVIEWED = (
    "orders/orders",
    "every-choice/every-choice",
    "mysql/orders-my",
    "mysql/odd",
    "mongodb/orders-mongo",
    "mongodb/odd",
)
EACH = 2
IN_EVERY_TARGET = "minimal/orders"
WITH_BARRIER = ("minimal/orders", "mysql/orders-my")


def artifacts() -> dict[str, str]:
    """Every golden file's text by its path below this folder."""
    found = {"outbox-kit.schema.json": json.dumps(jsonschema(), indent=2) + "\n"}
    found["coordinator.openapi.json"] = as_json(openapi.document(all_operations()))
    application = dict[str, dict[str, Callable[[], dict[str, str]]]]()
    for file in sorted(EXAMPLES.rglob("*.yaml")):
        for outbox in example_files.outboxes(file):
            folder = f"{file.relative_to(EXAMPLES).parts[0].removesuffix('.yaml')}/{outbox.service}"
            files = of_outbox(outbox)
            if folder in WITH_BARRIER:
                files |= of_barrier(outbox)
            if folder == IN_EVERY_TARGET:
                files["RUNBOOK.html"] = html(Routes(outbox), arguments=("--service", outbox.service))
                files |= of_targets(outbox) | of_inbox_modes(outbox)
            found |= {f"{folder}/{path}": text for path, text in files.items()}
            for target in code.fitting(outbox):
                application.setdefault(target.name, {})[folder] = partial(code.files, outbox, target)
    for stack, folders in application.items():
        for folder in [folder for folder in REVIEWED if folder in folders][:EACH]:
            found |= {f"{folder}/{stack}/{path}": text for path, text in folders[folder]().items()}
    return found


def of_outbox(outbox: Outbox) -> dict[str, str]:
    """The scripts, the connector's file, the runbook and the statements of an outbox."""
    suffix = outbox.dialect.ddl.suffix
    files = {f"up.{suffix}": ddl.up(outbox), f"down.{suffix}": ddl.down(outbox)}
    for name, script in (("inbox", ddl.INBOX), ("barrier", ddl.BARRIER), ("coordinator", ddl.COORDINATOR)):
        if script.fits(outbox.dialect):
            files |= {f"{name}.{suffix}": ddl.up(outbox, script), f"{name}-down.{suffix}": ddl.down(outbox, script)}
    files["connector.json"] = targets.document(targets.DEFAULT, deployed.deployed(outbox))
    files["explain.txt"] = "\n".join(connector.table(list(connector.explain(outbox))))
    files["RUNBOOK.md"] = runbook(Routes(outbox), arguments=("--service", outbox.service))
    if stacks := code.fitting(outbox):
        files["statements.txt"] = "\n".join(spoken(outbox, target) for target in stacks)
    return files


def of_barrier(outbox: Outbox) -> dict[str, str]:
    """The code of the barrier in each stack that has one."""
    files = {}
    for target in code.fitting(outbox):
        if barrier.fits(outbox, target):
            (path,) = target.barrier
            files[f"barrier/{target.name}/{path}"] = barrier.files(outbox, target)[path]
    return files


def of_targets(outbox: Outbox) -> dict[str, str]:
    """The connector's file for each target, and for each sink of one that needs a sink."""
    files = {}
    for target in targets.names():
        for sink in server_sinks.names() if target == "debezium-server" else ("",):
            name = "-".join(filter(None, [target, sink]))
            files[f"targets/{name}"] = targets.document(target, deployed.deployed(outbox, sink=sink))
    return files


def of_inbox_modes(outbox: Outbox) -> dict[str, str]:
    """Each stack's code of an inbox that is constant in size, and its consumer of Kafka for each mode."""
    files = {}
    for mode, dense in (("message-id", False), ("high-water", True), ("offsets", False)):
        with_inbox = with_mode(outbox, mode, dense=dense)
        for target in code.fitting(with_inbox):
            texts = code.files(with_inbox, target, consumer=code.has_consumer(with_inbox, target))
            written = {*target.loop} | {
                path for path in target.files if "inbox" in path.lower() and mode != "message-id"
            }
            files |= {f"{mode}/{target.name}/{path}": texts[path] for path in written & texts.keys()}
    return files


def spoken(outbox: Outbox, target: Target) -> str:
    """What a stack's code says to the database, and what it gives for each column."""
    insert, once = statements(outbox, target)
    given = [
        f"    {value.column} = {statement.expression(value, target)}" for value in statement.values(outbox, target)
    ]
    return "\n".join([target.name, *insert, *once, *given, ""])


def migrations() -> dict[str, str]:
    """The script from one schema file to the next, for each of some pairs."""
    found = {}
    for dialect, named in MIGRATIONS.items():
        for name in named:
            was, now = (outbox_of(more, dialect) for more in pairs_of(dialect)[name])
            edits = plan.between(connector.config(was), connector.config(now))
            lines = tuple(edit.line() for edit in edits)
            changes = migration.ConnectorChanges(lines, destructive=bool(plan.unsafe_changes(edits)))
            suffix = databases.get(dialect).ddl.suffix
            found[f"migrations/{dialect}/{name.replace(' ', '-')}.{suffix}"] = migration.script(was, now, changes)
    return found


@cache
def generated() -> dict[str, str]:
    """Every golden file's text; made where it is compared, because each process of a run collects these tests."""
    return artifacts() | migrations()


def reviewed() -> list[str]:
    """The golden files, by their paths below this folder; other processes write bytecode beside them meanwhile."""
    files = [path for path in HERE.rglob("*") if path.is_file() and path.parent.name != "__pycache__"]
    return sorted(str(path.relative_to(HERE)) for path in files if (path.parent, path.suffix) != (HERE, ".py"))


def test_each_generated_file_was_reviewed_and_no_other_is_there(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        for name, text in generated().items():
            (HERE / name).parent.mkdir(parents=True, exist_ok=True)
            (HERE / name).write_text(text)
    assert reviewed() == sorted(generated())


@pytest.mark.parametrize("name", reviewed())
def test_what_is_generated_is_what_was_reviewed(name: str) -> None:
    assert (HERE / name).read_text() == generated().get(name)


PAGES = {
    "rules.md": rules.page,
    "options.md": options.page,
    "schema-file.md": schema_file.page,
    "commands.md": reference.commands,
    "metrics.md": monitoring.page,
    "exit-codes.md": reference.exit_codes,
    "faults.md": faults.page,
    "relay-traps.md": traps.page,
    "chapters.md": drilled.page,
    "outbox-kit.schema.json": reference.catalogue_schema,
}


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_printed_pages_are_those_of_the_data(name: str, request: pytest.FixtureRequest) -> None:
    path = HERE.parents[1] / "docs" / "reference" / name
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(PAGES[name]())
    assert path.read_text() == PAGES[name]()


def test_generating_twice_gives_the_same_bytes() -> None:
    assert artifacts() | migrations() == generated()
