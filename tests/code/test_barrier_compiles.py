"""Each stack's own compiler or checker takes the barrier of every example; what no machine compiles is parsed."""

from pathlib import Path

import pytest
import tree_sitter
import tree_sitter_c_sharp

from outbox_kit.errors import UsageProblem
from outbox_kit.render.code import barrier, targets
from outbox_kit.schema.read import read
from tests.support import passed
from tests.support.toolchain import go_module, javac, run, tsc, versions

EXAMPLES = Path(__file__).parents[1] / "examples"
OUTBOXES = [outbox for file in sorted(EXAMPLES.rglob("*.yaml")) for outbox in read(file).outboxes]


def generated(stack: str, folder: Path) -> list[Path]:
    """The barrier of a stack for each example, in a folder each; equal ones once."""
    codes: dict[str, Path] = {}
    for number, outbox in enumerate(OUTBOXES):
        if not barrier.fits(outbox, targets.get(stack)):
            continue
        code = barrier.files(outbox, targets.get(stack))[barrier.FILES[stack]]
        path = folder / f"box{number}" / barrier.FILES[stack]
        if codes.setdefault(code.replace(f"of {outbox.service}.", ""), path) == path:
            path.parent.mkdir(parents=True)
            path.write_text(code)
    return list(codes.values())


def test_go_vets_it_and_gofmt_has_nothing_to_change(tmp_path: Path) -> None:
    for stack in ("go-pgx", "go-sql"):
        assert generated(stack, tmp_path / stack)

    def check() -> None:
        go_module(tmp_path)
        run("go", "vet", "./...", folder=tmp_path)
        root = run("go", "env", "GOROOT", folder=tmp_path).strip()
        assert run(f"{root}/bin/gofmt", "-d", ".", folder=tmp_path) == ""

    passed.once("go", check, versions("go"), tmp_path)


def test_tsc_takes_the_typescript(tmp_path: Path) -> None:
    for stack in ("node-pg", "node-mysql2", "node-prisma"):
        assert generated(stack, tmp_path / stack)
    passed.once("tsc", lambda: tsc(tmp_path, "--noEmit"), versions("tsc"), tmp_path)


def test_java_s_compiler_takes_the_java(tmp_path: Path) -> None:
    for file in generated("java-spring", tmp_path):
        file.write_text(file.read_text().replace("package barrier;", f"package {file.parent.name};"))
    passed.once("javac", lambda: javac(tmp_path), versions("javac"), tmp_path)


def test_the_c_sharp_parses(tmp_path: Path) -> None:
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_c_sharp.language()))
    for file in generated("csharp-efcore", tmp_path):
        assert not parser.parse(file.read_bytes()).root_node.has_error, file


@pytest.mark.parametrize(
    ("stack", "dialect", "fix"),
    [
        ("python-psycopg", "postgres", "import outbox_kit.barrier"),
        ("node-mongodb", "mongodb", ""),
        ("go-pgx", "mysql", "java-spring | csharp-efcore --barrier"),
    ],
)
def test_a_stack_without_a_barrier_is_refused(stack: str, dialect: str, fix: str) -> None:
    outbox = next(outbox for outbox in OUTBOXES if outbox.database.dialect == dialect)
    with pytest.raises(UsageProblem, match="barrier") as refused:
        barrier.files(outbox, targets.get(stack))
    assert fix in refused.value.fix
