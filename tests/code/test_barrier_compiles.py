"""Each stack's own compiler or checker takes the barrier of every example; what no machine compiles is parsed."""

from pathlib import Path

import pytest

from outbox_kit.errors import UsageProblem
from outbox_kit.render.code import barrier, targets
from tests.support import checked, example_files

OUTBOXES = example_files.all_outboxes()


def generated(stack: str, folder: Path) -> list[Path]:
    """The barrier of a stack for each example, in a folder each; equal ones once."""
    codes: dict[str, Path] = {}
    target = targets.get(stack)
    (name,) = target.barrier
    for number, outbox in enumerate(OUTBOXES):
        if not barrier.fits(outbox, target):
            continue
        code, path = barrier.files(outbox, target)[name], folder / f"box{number}" / name
        if codes.setdefault(code.replace(f"of {outbox.service}.", ""), path) == path:
            path.parent.mkdir(parents=True)
            path.write_text(code)
    return list(codes.values())


def test_go_vets_it_and_gofmt_has_nothing_to_change(tmp_path: Path) -> None:
    for stack in ("go-pgx", "go-sql"):
        assert generated(stack, tmp_path / stack)
    checked.expect_go(tmp_path)


def test_tsc_takes_the_typescript(tmp_path: Path) -> None:
    for stack in ("node-pg", "node-mysql2", "node-prisma"):
        assert generated(stack, tmp_path / stack)
    checked.expect_typescript(tmp_path)


def test_java_s_compiler_takes_the_java(tmp_path: Path) -> None:
    for file in generated("java-spring", tmp_path):
        file.write_text(file.read_text().replace("package barrier;", f"package {file.parent.name};"))
    checked.expect_java(tmp_path)


def test_the_c_sharp_parses(tmp_path: Path) -> None:
    checked.expect_c_sharp(file.read_text() for file in generated("csharp-efcore", tmp_path))


@pytest.mark.parametrize(
    ("stack", "dialect", "fix"),
    [
        ("python-psycopg", "postgres", "import outbox_kit.barrier"),
        ("node-mongodb", "mongodb", ""),
        ("go-pgx", "mysql", "gen-code java-spring | go-sql | csharp-efcore | node-mysql2 | node-prisma --barrier"),
    ],
)
def test_a_stack_without_a_barrier_is_refused(stack: str, dialect: str, fix: str) -> None:
    outbox = next(outbox for outbox in OUTBOXES if outbox.database.dialect == dialect)
    with pytest.raises(UsageProblem, match="barrier") as refused:
        barrier.files(outbox, targets.get(stack))
    assert fix in refused.value.fix
