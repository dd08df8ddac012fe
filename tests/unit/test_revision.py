"""An earlier version of the schema file, by a path or a Git revision."""

import subprocess
from pathlib import Path

import pytest

from tests.support.cli import invoke

SCHEMA = """service: shop
database: {dialect: postgres}
events:
  - {type: OrderPlaced, aggregate: Order, payload: ../schemas/placed.json}
"""
PAYLOAD = '{"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}'


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose schema file lies in a folder, and its JSON Schema beside that folder."""
    files = {"service/outbox.yaml": SCHEMA, "schemas/placed.json": PAYLOAD, "program.sh": "exit"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    git(tmp_path, "init", "--initial-branch", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "first")
    monkeypatch.chdir(tmp_path / "service")
    return tmp_path


@pytest.mark.parametrize("words", [("diff", "--against"), ("gen-ddl", "--diff")])
def test_an_earlier_file_that_does_not_exist_is_named_and_init_is_not_the_fix(
    words: tuple[str, str], repository: Path
) -> None:
    message = invoke(*words, "main/outbox.yaml", code=2).stderr
    assert "no file 'main/outbox.yaml'" in message and "git:main" in message and "init" not in message


def test_the_file_is_compared_with_the_last_commit(repository: Path) -> None:
    assert "compatible" in invoke("diff").stdout
    (repository / "schemas" / "placed.json").write_text(PAYLOAD.replace('"string"', '"integer"'))
    assert "CMP-01" in invoke("diff", "--against", "git:main", code=1).stdout
    assert "CMP-01" in invoke("diff", str(repository / "service" / "outbox.yaml"), code=1).stdout


def test_one_service_of_several_is_compared(repository: Path) -> None:
    def second(kind: str) -> str:
        return f"{SCHEMA}---\n" + SCHEMA.replace("shop", "mail").replace("OrderPlaced", kind)

    Path("outbox.yaml").write_text(second("Sent"))
    git(repository, "commit", "-am", "two services")
    Path("outbox.yaml").write_text(second("Posted"))
    assert "compatible" in invoke("diff", "--service", "shop").stdout
    assert "Sent" in invoke("diff", "--service", "mail", code=1).stdout
    assert "service 'post' not found" in invoke("diff", "--service", "post", code=2).stderr
    Path("outbox.yaml").write_text(SCHEMA)
    assert "Sent" in invoke("diff", "--service", "mail", code=1).stdout
    assert "compatible" in invoke("diff", "--service", "shop").stdout


def test_a_renamed_service_is_compared_with_the_former_one(repository: Path) -> None:
    Path("outbox.yaml").write_text(SCHEMA.replace("shop", "mail").replace("OrderPlaced", "Sent"))
    assert "OrderPlaced" in invoke("diff", "--service", "mail", code=1).stdout


def test_a_migration_starts_from_a_revision(repository: Path) -> None:
    (repository / "service" / "outbox.yaml").write_text(SCHEMA + "table: {columns: {payload: body}}\n")
    assert "body" in invoke("gen-ddl", "--diff", "git:HEAD").stdout


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("git:nope", "'git:nope' cannot be read"),
        ("git:", "'git:' cannot be read"),
        ("git:--output=stolen", "'git:--output=stolen' cannot be read"),
        ("nope.yaml", "no file 'nope.yaml'"),
    ],
)
def test_a_version_that_is_not_there_is_one_message(repository: Path, version: str, message: str) -> None:
    result = invoke("diff", "--against", version, code=2)
    assert result.stderr.startswith(f"error: {message}") and not (repository / "service" / "stolen").exists()


def test_a_file_that_the_revision_lacks_is_named(repository: Path) -> None:
    Path("new.yaml").write_text(SCHEMA)
    result = invoke("diff", "new.yaml", code=2)
    assert "'new.yaml' does not exist in revision 'HEAD'" in result.stderr


def test_problems_of_the_earlier_file_name_the_revision(repository: Path) -> None:
    Path("outbox.yaml").write_text("service: 7\n")
    git(repository, "commit", "-am", "broken")
    Path("outbox.yaml").write_text(SCHEMA)
    result = invoke("diff", code=2)
    assert "git:HEAD:service/outbox.yaml" in result.stderr and "/outbox-kit-" not in result.stderr


def test_without_a_repository_the_reason_is_git_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("outbox.yaml").write_text(SCHEMA)
    assert "not a git repository" in invoke("diff", code=2).stderr


def test_without_git_the_message_says_so(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path_factory.mktemp("empty")))
    assert "needs Git" in invoke("diff", code=2).stderr
