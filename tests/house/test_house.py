"""The rules that the house lives by, asked of the source itself."""

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from outbox_kit import databases, errors
from outbox_kit.assets import TEMPLATES
from outbox_kit.cli import app
from outbox_kit.databases.mysql.variant import VARIANTS
from outbox_kit.explain import options as explained
from outbox_kit.lazy_pattern import LazyPattern
from outbox_kit.router import options
from outbox_kit.schema.read import read
from outbox_kit.versions import Version
from outbox_kit.wire import connector
from tests.house.sources import MODULES, PACKAGE, nodes, tree
from tests.support.each import ROOT, each

TESTS = ROOT / "tests"
SHARED = "support"  # the only package that tests of several rings import

ROOMS = {path.stem for path in PACKAGE.glob("*.py")} | {path.parent.name for path in PACKAGE.glob("*/__init__.py")}


def is_part(name: str) -> bool:
    """Whether a drawn name is a part of a room: `room.module` is every module or package of that name in it, and the
    files of its packages."""
    package, _, module = name.partition(".")
    return any((PACKAGE / package).rglob(f"{module}*")) if re.fullmatch(r"\w+\.\w+", name) else False


def drawn() -> list[set[str]]:
    """The floors of ARCHITECTURE's drawing, the lowest first: what stands between two or more blanks and is a room."""
    drawing = (ROOT / "toolkit" / "ARCHITECTURE.md").read_text().split("```")[1]
    floors: list[set[str]] = []
    for line in drawing.strip().splitlines():
        number, *words = re.split(r"\s{2,}", line)
        if number:
            floors.insert(0, set())
        floors[0] |= {word for word in words if word in ROOMS or is_part(word)}
    return floors


FLOORS = drawn()
PARTS = {name for rooms in FLOORS for name in rooms if "." in name}
SPEAKERS = {
    "requests": {"connect/client.py", "connect/session.py", "relay/poster.py"},
    "pika": {"relay/sinks/rabbitmq.py", "verify/reading/queue.py"},
    "opentelemetry": {"relay/spans.py"},
    "confluent_kafka": {"kafka"},
    "cel": {"schema/rules.py"},
    "jinja2": {"render/text.py"},
    "markdown_it": {"render/text.py", "operate/drill/chapter_steps.py"},
    "pydantic": {"schema", "lint/settings.py"},
    "pygls": {"editor/server.py"},
    "lsprotocol": {"editor/server.py"},
    "psutil": {"stack"},
    "duckdb": {"verify/state/scratch.py", "verify/published_log.py"},
    "pyspark": {"verify/state/spark.py"},
    "prometheus_client": {"verify/metrics.py", "relay/metrics.py", "exporter/metrics.py", "coordinator/metrics.py"},
    "waitress": {"coordinator/serving.py"},
    "jgo": {"stack"},
    "google": {"kafka/registry.py"},
    "jsonschema": {"kafka/registry.py"},
    # the demo and the drills run their commands, a revision is read by git, a secret may be what a command prints
    "subprocess": {"stack", "demo/run.py", "operate/drill/shell.py", "cli/revision.py", "connect/credentials.py"},
}
IMPURE = {"time", "random", "secrets", "socket", "subprocess", "os", "uuid", "urllib"}
PURE_ROOMS = {"schema", "databases.facts", "router", "render", "wire", "findings", "lint", "compat", "contracts"} | {
    "adopt",
    "explain",
    "monitoring",
}
# which folders of databases may name others: one that shares its modules
SHARES = {name: set(VARIANTS) for name in VARIANTS}
NAMES_A_DATABASE = {
    "cli/stack.py": "the local stack has a database of that name",  # as all of `stack`, which runs PostgreSQL
    "router/route.py": "the router asks whether a row comes from Oracle's connector",
}
FORBIDDEN = {"utils", "helpers", "common", "manager", "handler", "processor", "service", "data", "info", "misc", "core"}
TYPES = {"string", "sql", "int", "short", "long", "double", "boolean", "enum", "list", "class", "regex", "password"}
HEAVY = {
    "requests",
    "jinja2",
    "pydantic",
    "confluent_kafka",
    "ruamel",
    "cel",
    "jsonschema_rs",
    "orjson",
    "numpy",
    "duckdb",
    "prometheus_client",
    "pika",
    "waitress",
    "opentelemetry",
    "jgo",
    "jpype",
    "pygls",
    "lsprotocol",
}


def room(path: Path) -> str:
    """The room that a module belongs to, or the part of one that is drawn on a floor of its own."""
    name, *_ = path.relative_to(PACKAGE).with_suffix("").parts
    for part in PARTS:
        package, _, module = part.partition(".")
        if name == package and (path.stem == "__init__" or module in path.relative_to(PACKAGE).with_suffix("").parts):
            return part
    return name


@cache
def module_of(imported: str) -> Path | None:
    """The file of what an import names, `a.b.c` or `a.b` with a name `c` in it; None where it is not of the kit."""
    first, *parts = imported.split(".")
    if first != "outbox_kit" or not parts:
        return None
    for end in range(len(parts), 0, -1):
        path = PACKAGE.joinpath(*parts[:end])
        for file in (path / "__init__.py", path.with_suffix(".py")):
            if file.exists():
                return file
    return None


@cache
def drivers() -> dict[str, set[str]]:
    """The libraries that a database's folder imports, each with the folders that do: a driver belongs to one."""
    found: dict[str, set[str]] = {}
    for path in PACKAGE.glob("databases/*/*.py"):
        for module in imports(path):
            library = module.split(".")[0]
            if library not in {"outbox_kit", *sys.stdlib_module_names}:
                found.setdefault(library, set()).add(f"databases/{path.parent.name}")
    return found


@cache
def imports(path: Path) -> list[str]:
    """What a module imports, and each name that it imports from there."""
    names: list[str] = []
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names


def imported(path: Path) -> Iterator[Path]:
    """The kit's modules that a module imports, those under TYPE_CHECKING too; of a package, only the module meant."""
    for node in nodes(path):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        prefix = f"{node.module}." if isinstance(node, ast.ImportFrom) and node.module else ""
        yield from (file for name in names if (file := module_of(prefix + name)) is not None)


def test_no_modules_import_each_other_in_a_circle() -> None:
    left = {path: {file for file in imported(path) if file != path} for path in MODULES}
    while True:  # what imports nothing that is left, or is imported by nothing that is left, is in no circle
        needed = {file for files in left.values() for file in files}
        free = [path for path, files in left.items() if not files & left.keys() or path not in needed]
        if not free:
            break
        for path in free:
            del left[path]
    assert not left, sorted(str(path.relative_to(PACKAGE)) for path in left)


def floor(name: str) -> int:
    return next(number for number, rooms in enumerate(FLOORS) if name in rooms)


def test_a_driver_is_one_database_s() -> None:
    assert {"psycopg", "pymysql", "pymssql", "pymongo", "oracledb"} <= drivers().keys()
    assert all(len(folders) == 1 for folders in drivers().values()), drivers()


def test_every_room_is_drawn_once() -> None:
    assert sorted(name for floor in FLOORS for name in floor) == sorted(ROOMS | PARTS)


def test_a_part_is_below_the_rest_of_its_room() -> None:
    assert {room(module) for module in MODULES} == ROOMS | PARTS
    assert all(floor(part) < floor(part.partition(".")[0]) for part in PARTS)


@each(MODULES)
def test_imports_go_down_only(path: Path) -> None:
    own = room(path)
    for imported in imports(path):
        module = module_of(imported)
        if module is not None:
            other = room(module)
            assert other == own or floor(other) < floor(own), f"{own} imports {imported}"


@each(MODULES)
def test_each_foreign_tongue_has_one_speaker(path: Path) -> None:
    where = str(path.relative_to(PACKAGE))
    for module in imports(path):
        speakers = (SPEAKERS | drivers()).get(module.split(".")[0])
        if speakers:
            assert any(where == one or where.startswith(f"{one}/") for one in speakers), f"{where} speaks {module}"


@each(MODULES)
def test_a_pure_room_reads_no_clock_network_or_environment(path: Path) -> None:
    if room(path) in PURE_ROOMS:
        assert not {module.split(".")[0] for module in imports(path)} & IMPURE
        assert not re.search(r"\.(now|today|utcnow)\(", path.read_text())


@each(MODULES)
def test_it_says_what_it_is_for_and_has_a_name_of_the_domain(path: Path) -> None:
    assert ast.get_docstring(tree(path))
    assert path.stem not in FORBIDDEN


@each(MODULES)
def test_nothing_is_long(path: Path) -> None:
    """A function's length is that of its statements: a signature with Typer's options, and a docstring, are long
    by nature."""
    assert len(path.read_text().splitlines()) <= 400
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef):
            statements = node.body[1:] if ast.get_docstring(node) is not None else node.body
            length = (statements[-1].end_lineno or 0) - statements[0].lineno + 1 if statements else 0
            assert length < 40, f"{node.name} has {length} lines"


@each(MODULES)
def test_a_database_s_name_is_written_in_its_folder_only(path: Path) -> None:
    """What another module knows of one database stands in its facts, by which it is found."""
    where = path.relative_to(PACKAGE)
    if where.as_posix() in NAMES_A_DATABASE or where.parts[0] == "stack":
        return
    own = where.parts[1] if where.parts[0] == "databases" else ""
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = set(re.findall(r"^\w+$|\b\w+(?=://)", node.value))
            assert not words & set(databases.ALL) - SHARES.get(own, {own}), f"line {node.lineno}: {node.value[:80]}"


# participles and pronouns: a name says what a value is, such as `finding`, `record` or `expected`
NOT_A_NAME = {
    "asked",
    "found",
    "given",
    "gone",
    "got",
    "heard",
    "held",
    "here",
    "known",
    "looked",
    "looked_at",
    "made",
    "meant",
    "named",
    "one",
    "own",
    "said",
    "that",
    "there",
    "this",
    "told",
    "wanted",
    "which",
}


def names_given(path: Path) -> Iterator[tuple[str, int]]:
    """Every name that a module gives to a value, a parameter, a field, a function or a class, and its line."""
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node.lineno
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name, node.lineno


@each(MODULES)
def test_a_name_says_what_a_value_is(path: Path) -> None:
    nameless = [f"line {line}: {name}" for name, line in names_given(path) if name.lstrip("_") in NOT_A_NAME]
    assert nameless == []


def test_a_class_s_name_means_one_thing() -> None:
    """Each database has its own class for what a protocol asks of it, under the protocol's word."""
    modules: dict[str, set[str]] = {}
    for path in MODULES:
        folder, *inner = path.relative_to(PACKAGE).parts
        owner = folder if folder == "databases" and len(inner) > 1 else str(path)
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules.setdefault(node.name, set()).add(owner)
    assert {name: sorted(owners) for name, owners in modules.items() if len(owners) > 1} == {}


@each(MODULES)
def test_a_field_is_documented_beside_it(path: Path) -> None:
    """A class's docstring does not describe its fields: each has a docstring of its own below it."""
    for node in nodes(path):
        if isinstance(node, ast.ClassDef):
            fields = {f.target.id for f in node.body if isinstance(f, ast.AnnAssign) and isinstance(f.target, ast.Name)}
            described = re.findall(r"(?:^|[.;] |\n)((?:\w+, )*\w+): ", ast.get_docstring(node) or "")
            above = fields & {name for names in described for name in names.split(", ")}
            assert not above, node.name


# besides `schema` and `wire`, only what writes a schema file may know of `routing`
WRITES_SCHEMA_FILES = ("adopt/proposal.py", "contracts/imported.py", "render/starter.py")
ROUTING_FIELDS = {("routing", name) for name in ("topic", "previous_topics", "pattern", "key")} | {
    ("connect", "topic_prefix")
}


@each(MODULES)
def test_only_wire_answers_topic_key_and_headers_of_an_event(path: Path) -> None:
    where = path.relative_to(PACKAGE).as_posix()
    if room(path) in ("schema", "wire") or where in WRITES_SCHEMA_FILES:
        return
    assert "outbox_kit.schema.routing" not in set(imports(path)), "ask wire, which heeds raw options too"
    for node in nodes(path):
        if isinstance(node, ast.Attribute):
            of = node.value.attr if isinstance(node.value, ast.Attribute) else ""
            own = (of, node.attr) in ROUTING_FIELDS or node.attr == "topic_prefix"
            assert not own, f"{ast.unparse(node)}: ask wire, which heeds raw options too"
        if isinstance(node, ast.Constant):
            assert node.value != "outbox.event.$1", "ask wire for a topic"


# what answers how far a connector is; everything else asks a Delivery
POSITIONS = {"slots", "log_position", "stored_position", "connector_status"}


@each(MODULES)
def test_only_a_delivery_knows_how_far_it_is(path: Path) -> None:
    if room(path) in ("delivery", "databases", "connect"):
        return
    for node in nodes(path):
        assert not (isinstance(node, ast.Attribute) and node.attr in POSITIONS), f"{ast.unparse(node)}: ask a Delivery"
    if room(path) != "cli":  # its commands for a connector
        debezium = [module for module in imports(path) if module.startswith("outbox_kit.delivery.debezium")]
        assert not debezium, "ask outbox_kit.delivery.deliveries"


VERIFY = [path for path in MODULES if room(path) == "verify"]


@each(VERIFY)
def test_a_verification_pauses_only_while_it_reports_what_it_waits_for(path: Path) -> None:
    reported = {
        id(node)
        for block in nodes(path)
        if isinstance(block, ast.With) and any("waiting_for(" in ast.unparse(item) for item in block.items)
        for node in ast.walk(block)
    }
    for node in nodes(path):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "time.sleep":
            assert id(node) in reported, f"line {node.lineno}: pause within waiting_for"


def test_a_ring_of_tests_imports_itself_and_what_is_shared() -> None:
    for path in sorted(TESTS.rglob("*.py")):
        name = path.relative_to(TESTS)
        for module in imports(path):
            parts = module.split(".")
            if parts[0] == "tests" and len(parts) > 1:
                allowed = parts[1] in (name.with_suffix("").parts[0], SHARED)
                assert allowed, f"{name} imports {module}: what several rings use is in tests/{SHARED}"
                assert not any(part.startswith("test_") for part in parts), (
                    f"{name} imports {module}, a module of tests"
                )
        assert not re.search("noqa: *F(401|811)", path.read_text()), f"{name}: share fixtures by conftest.py"


@each(MODULES)
def test_an_outbox_is_asked_for_its_names_and_its_database_s_facts(path: Path) -> None:
    if room(path) == "schema":
        return
    assert "outbox_kit.schema.names.names" not in set(imports(path)), "ask outbox.names, which are made once"
    for node in nodes(path):
        looked_up = isinstance(node, ast.Call) and ast.unparse(node.func) == "databases.get"
        assert not (looked_up and ast.unparse(node).endswith(".database.dialect)")), "ask outbox.dialect"


def test_the_error_tree_in_the_docstring_is_the_real_one() -> None:
    drawn = re.findall(r"([A-Z]\w+)(?:\s+(\d+))?", (errors.__doc__ or "").split("A finding")[0].split("\n", 2)[2])
    real = {
        name: kind.exit_code
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.OutboxKitError)
    }
    assert {name for name, _ in drawn} == set(real)
    assert all(real[name] == int(code) for name, code in drawn if code)


@pytest.mark.parametrize(
    "template", sorted([*TEMPLATES.rglob("*.sql.j2"), *TEMPLATES.rglob("*.js.j2")]), ids=lambda path: path.name
)
def test_every_value_in_sql_passes_a_quoting_filter(template: Path) -> None:
    for expression in re.findall(r"\{\{(.*?)\}\}", template.read_text()):
        plain = re.sub(r'"[^"]*"( if [^}]*)?', "", expression).strip(" ~")
        quoted = re.search(r"\| (idents?|literals?|account|sqltype|filling|comment|remark|json)\b", expression)
        made_here = ("outbox.table.keep_days", "published | length", "check.expression | sql")
        own = expression.strip() in (*made_here, "filled.expression | sql", "feed.condition | sql") or not plain
        assert quoted or own or plain.startswith(("if", "else")), expression


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; sys.argv = ['outbox-kit', '--help']\ntry:\n import outbox_kit.__main__ as m; m.main()\n"
    code += "finally:\n print('MODULES', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    loaded = done.stdout.rsplit("MODULES", 1)[1].split()
    assert not {name.split(".")[0] for name in loaded} & (HEAVY | drivers().keys())
    kit = [(name, file) for name in loaded if (file := module_of(name)) is not None]
    above = [
        name for name, file in kit if room(file) not in ("cli", "__main__") and floor(room(file)) > floor("secret")
    ]
    assert above == [
        *("outbox_kit.findings", "outbox_kit.findings.formats"),  # whose names are words of --format
        *("outbox_kit.render", "outbox_kit.render.server_sinks", "outbox_kit.render.targets"),  # of --sink and --target
    ]


def test_only_chaos_breaks_the_stack_that_a_run_shares() -> None:
    """Every other live test shares its services with the tests of all other processes of the run."""
    breaks = re.compile(r"\bstack\.(kill|start|down)\(|\bstack\.processes\[")
    live = ROOT / "tests" / "live"
    files = [path for path in live.rglob("*.py") if "chaos" not in path.parts and breaks.search(path.read_text())]
    assert files == []
    assert any(breaks.search(path.read_text()) for path in (live / "chaos").glob("*.py"))


def commands() -> dict[str, object]:
    return typer.main.get_command(app).commands  # type: ignore[attr-defined]


def test_every_command_is_in_the_overview_and_has_help() -> None:
    overview = (ROOT / "docs" / "commands.md").read_text()
    for name, command in commands().items():
        assert f"| `{name}` |" in overview, name
        assert getattr(command, "help", None), name


def reading_commands(prefix: str, found: Mapping[str, Any]) -> Iterator[tuple[str, set[str]]]:
    """Every command that reads a schema file, with its options."""
    for name, command in found.items():
        options = {word for parameter in command.params for word in parameter.opts}
        if "--file" in options:
            yield f"{prefix}{name}", options
        yield from reading_commands(f"{prefix}{name} ", getattr(command, "commands", {}))


def test_every_command_that_reads_a_schema_file_has_environments() -> None:
    missing = {name for name, options in reading_commands("", commands()) if "--env" not in options}
    assert not missing, missing


def test_the_registries_are_well_formed() -> None:
    for source in explained.FILES:
        for name, option in options.catalogue(source).options.items():
            where = f"{source}: {name}"
            assert option.type in TYPES, where
            assert option.why == "" or option.why.endswith("."), where
            assert option.type != "enum" or option.values, where
            dates = [
                option.since,
                option.until,
                option.no_effect_since,
                *(change["since"] for change in option.changes),
            ]
            assert all(re.fullmatch(r"\d+(\.\d+)*", date) for date in dates if date is not None), where
            assert list(option.changes) == sorted(option.changes, key=lambda c: Version.of(c["since"])), where


@pytest.mark.parametrize("example", sorted((ROOT / "tests" / "examples").rglob("*.yaml")), ids=lambda path: path.stem)
def test_every_option_that_the_kit_writes_says_why(example: Path) -> None:
    for outbox in read(example).outboxes:
        written = connector.config(outbox)
        for key in sorted({*written} - {*outbox.connect.config}):
            option = options.resolve(written, key).option
            assert option and (option.why or key == "connector.class"), key


def tracked() -> list[str]:
    return subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split()


def test_a_document_that_a_file_cites_is_in_the_repository() -> None:
    there = tracked()
    documents = [f"/{name}" for name in there if name.endswith(".md")]
    for name in there:
        path = ROOT / name
        if path.suffix in {".py", ".md", ".yaml", ".toml"} and path.is_file() and "/golden/" not in name:
            for cited in re.findall(r"(?<![\w./{}-])(?:[\w.-]+/)*[\w-]+\.md\b", path.read_text(errors="replace")):
                plain = cited.removeprefix("./").removeprefix("../")
                assert any(one.endswith(f"/{plain}") for one in documents), f"{name} cites {cited}"


def test_no_file_names_a_registry_a_machine_path_or_a_password() -> None:
    hosts = "|".join(["repo1?.mav" + "en", "pypi" + r"\.org", "files.pyth" + "onhosted", "registry.np" + "mjs"])
    bad = re.compile(rf"{hosts}|/ro" + r"ot/|/wo" + r"rk/", re.IGNORECASE)
    for name in tracked():
        path = ROOT / name
        if path.suffix in {".py", ".md", ".yaml", ".yml", ".toml", ".j2", ".json", ""} and path.is_file():
            found = bad.search(path.read_text(errors="replace"))
            assert not found, f"{name}: {found}"


def dotted(path: Path) -> str:
    """The name by which a module is imported."""
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def constants(path: Path) -> set[str]:
    """The constants of a module."""
    statements = (node for node in tree(path).body if isinstance(node, ast.Assign | ast.AnnAssign))
    names = (node for statement in statements for node in ast.walk(statement) if isinstance(node, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store) and name.id.isupper()}


@cache
def asked_of_others() -> tuple[set[tuple[str, str]], set[str]]:
    """What any module or test imports, as module and name, and all names behind a dot."""
    imports, names = set[tuple[str, str]](), set[str]()
    for path in (*MODULES, *(path for path in TESTS.rglob("*.py") if "corpus" not in path.parts)):
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom):
                imports |= {(node.module or "", alias.name) for alias in node.names}
            elif isinstance(node, ast.Attribute):
                names.add(node.attr)
    return imports, names


@each(MODULES)
def test_every_constant_is_used(path: Path) -> None:
    own = {node.id for node in nodes(path) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    imports, names = asked_of_others()
    assert {name for name in constants(path) - own - names if (dotted(path), name) not in imports} == set()


@each(path for path in MODULES if "lazy_pattern(" in path.read_text())
def test_every_pattern_compiles(path: Path) -> None:
    for value in vars(importlib.import_module(dotted(path))).values():
        assert type(value) is not LazyPattern or value.pattern
