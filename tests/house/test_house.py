"""The rules that the house lives by, asked of the source itself."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main

from outbox_kit import dialects, errors
from outbox_kit.assets import TEMPLATES
from outbox_kit.cli import app
from outbox_kit.lint import explain
from outbox_kit.render import connector
from outbox_kit.router import options
from outbox_kit.schema.read import read
from outbox_kit.versions import Version

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "toolkit" / "outbox_kit"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "_assets" not in path.parts)

ROOMS = {path.stem for path in PACKAGE.glob("*.py")} | {path.parent.name for path in PACKAGE.glob("*/__init__.py")}


def drawn() -> list[set[str]]:
    """The floors of ARCHITECTURE's drawing, the lowest first: what stands between two or more blanks and is a room."""
    drawing = (ROOT / "toolkit" / "ARCHITECTURE.md").read_text().split("```")[1]
    floors: list[set[str]] = []
    for line in drawing.strip().splitlines():
        number, *words = re.split(r"\s{2,}", line)
        if number:
            floors.insert(0, set())
        floors[0] |= ROOMS & set(words)
    return floors


FLOORS = drawn()
SPEAKERS = {
    "requests": {"connect/client.py"},
    "confluent_kafka": {"kafka"},
    "cel": {"schema/rules.py"},
    "psycopg": {"source/postgres"},
    "pymysql": {"source/mysql"},
    "pymssql": {"source/sqlserver"},
    "pymongo": {"source/mongodb"},
    "bson": {"source/mongodb"},
    "oracledb": {"source/oracle"},
    "jinja2": {"render/text.py"},
    "pydantic": {"schema"},
    "psutil": {"stack"},
    "duckdb": {"verify/engine/spool.py", "verify/comparison.py", "source/file.py"},
    "pyspark": {"verify/engine/spark.py"},
    "prometheus_client": {"verify/metrics.py"},
    "jgo": {"stack"},
    "google": {"kafka/registry.py"},
    "jsonschema": {"kafka/registry.py"},
    "subprocess": {"stack", "demo/run.py"},  # the demonstration types its commands
}
IMPURE = {"time", "random", "secrets", "socket", "subprocess", "os", "uuid", "urllib"}
PURE_ROOMS = {"schema", "dialects", "router", "render", "preview", "lint", "compat", "contracts", "adopt"}
FORBIDDEN = {"utils", "helpers", "common", "manager", "handler", "processor", "service", "data", "info", "misc", "core"}
TYPES = {"string", "int", "short", "long", "double", "boolean", "enum", "list", "class", "regex", "password"}
HEAVY = {
    "requests",
    "jinja2",
    "pydantic",
    "confluent_kafka",
    "psycopg",
    "pymysql",
    "pymssql",
    "pymongo",
    "oracledb",
    "ruamel",
    "cel",
    "jsonschema_rs",
    "orjson",
    "numpy",
    "duckdb",
    "prometheus_client",
    "jgo",
    "jpype",
}


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def floor(name: str) -> int:
    return next(number for number, rooms in enumerate(FLOORS) if name in rooms)


def test_every_room_is_drawn_once() -> None:
    assert sorted(name for floor in FLOORS for name in floor) == sorted(ROOMS)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
class TestEveryModule:
    def test_imports_go_down_only(self, path: Path) -> None:
        own = room(path)
        for module in imports(path):
            parts = module.split(".")
            if (
                parts[0] == "outbox_kit"
                and len(parts) > 1
                and (PACKAGE / parts[1]).exists() | (PACKAGE / f"{parts[1]}.py").exists()
            ):
                allowed = parts[1] == own or floor(parts[1]) < floor(own)
                assert allowed, f"{own} imports {parts[1]}"

    def test_each_foreign_tongue_has_one_speaker(self, path: Path) -> None:
        where = str(path.relative_to(PACKAGE))
        for module in imports(path):
            speakers = SPEAKERS.get(module.split(".")[0])
            if speakers:
                assert any(where == one or where.startswith(f"{one}/") for one in speakers), f"{where} speaks {module}"

    def test_a_pure_room_reads_no_clock_network_or_environment(self, path: Path) -> None:
        if room(path) in PURE_ROOMS:
            assert not {module.split(".")[0] for module in imports(path)} & IMPURE
            assert not re.search(r"\.(now|today|utcnow)\(", path.read_text())

    def test_it_says_what_it_is_for_and_has_a_name_of_the_domain(self, path: Path) -> None:
        assert ast.get_docstring(ast.parse(path.read_text()))
        assert path.stem not in FORBIDDEN

    def test_nothing_is_long(self, path: Path) -> None:
        source = path.read_text()
        assert len(source.splitlines()) <= 400
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef) and room(path) != "cli":
                length = (node.end_lineno or 0) - node.lineno
                assert length <= (85 if node.name == "take" else 50), f"{node.name} has {length} lines"

    def test_a_dialect_s_name_is_compared_nowhere_else(self, path: Path) -> None:
        if room(path) == "dialects":
            return
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare):
                texts = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)}
                assert not texts & set(dialects.ALL), ast.unparse(node)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_topic_is_named_by_the_generator_and_its_model_only(path: Path) -> None:
    if room(path) == "schema" or path.relative_to(PACKAGE).as_posix() == "render/connector.py":
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
            told = node.value.attr == "routing" and node.attr in ("topic", "pattern")
            assert not told, f"{ast.unparse(node)}: ask preview.routes, which heeds raw options too"


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
        quoted = re.search(r"\| (idents?|literal|account|sqltype|filling|comment|remark|json)\b", expression)
        made_here = ("outbox.table.keep_days", "published | length", "check.expression | sql")
        own = expression.strip() in (*made_here, "one.expression | sql", "feed.condition | sql") or not plain
        assert quoted or own or plain.startswith(("if", "else")), expression


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; sys.argv = ['outbox-kit', '--help']\ntry:\n import outbox_kit.__main__ as m; m.main()\n"
    code += "finally:\n print('MODULES', *sorted({name.split('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    loaded = set(done.stdout.rsplit("MODULES", 1)[1].split())
    assert not loaded & HEAVY


def commands() -> dict[str, object]:
    return typer.main.get_command(app).commands  # type: ignore[attr-defined]


def test_every_command_is_in_the_readme_and_has_help() -> None:
    readme = (ROOT / "README.md").read_text()
    for name, command in commands().items():
        assert f"| `{name}` |" in readme, name
        assert getattr(command, "help", None), name


def test_the_registries_are_well_formed() -> None:
    for source in explain.FILES:
        for name, option in options.catalogue(source).options.items():
            where = f"{source}: {name}"
            assert option.type in TYPES, where
            assert option.why == "" or option.why.endswith("."), where
            assert option.type != "enum" or option.values, where
            dates = [option.since, option.until, option.inert, *(change["since"] for change in option.changes)]
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
