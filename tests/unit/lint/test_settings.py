"""The settings file of `check`: which one holds, what it may say, and how its mistakes are told."""

import re
from pathlib import Path, PurePosixPath

import pytest

from outbox_kit.errors import BadConfigFile
from outbox_kit.findings.rule import Severity
from outbox_kit.lint.globs import matches
from outbox_kit.lint.rule import RULES
from outbox_kit.lint.settings import CheckSettings, FileSettings, excluded, settings
from outbox_kit.lint.settings_files import SettingsFiles
from outbox_kit.versions import Version
from tests.support.each import ROOT

FILE = Path("/repo/.outbox-kit.toml")
WHOLE = """target-version = "3.5"
profile = "strict"
select = ["routing", "acks"]
exclude = ["vendor/"]
fail-on = "warning"
baseline = "ci/baseline.json"
format = "github"

[severity]
acks = "info"
routing = "off"

[ignore]
"acks:producer.override.acks" = "the broker decides"

[per-file-ignores."legacy/**"]
acks = "goes with the old cluster"
"""


def read(text: str, file: Path = FILE) -> FileSettings:
    parsed = settings(text, file)
    assert parsed is not None
    return parsed


def told(text: str, file: Path = FILE) -> str:
    with pytest.raises(BadConfigFile) as raised:
        settings(text, file)
    return "\n".join(raised.value.lines())


def test_every_key_is_in_the_documentation() -> None:
    page = (ROOT / "docs" / "check.md").read_text()
    for field in CheckSettings.model_fields.values():
        assert re.search(rf"^(# )?\[?{field.alias}\b", page, re.MULTILINE), field.alias


@pytest.mark.parametrize("table", ["", "[check]\n"])
def test_every_key_is_read_below_check_and_at_the_top_level(table: str) -> None:
    text = WHOLE.replace("[", "[check.").replace('[check."', '["') if table else WHOLE
    text = text.replace("= [check.", "= [")
    both = read(table + text)
    values = both.values
    assert (values.profile, values.fail_on, values.format) == ("strict", "warning", "github")
    assert both.release == Version.of("3.5")
    assert both.baseline == Path("/repo/ci/baseline.json")
    policy = both.policy(Path("/repo/connectors/shop.json"))
    assert policy.severities["acks"] is Severity.info
    assert policy.severities[RULES.members("routing")[0]] is None
    assert policy.ignored == {"acks:producer.override.acks": "the broker decides"}
    assert policy.selected == {"acks", *RULES.members("routing")}
    assert both.policy(Path("/repo/legacy/a/b.json")).ignored["acks"] == "goes with the old cluster"
    assert both.excluded(Path("/repo/vendor/a.json")) and not both.excluded(Path("/repo/a.json"))


def test_pyproject_has_them_below_tool_and_is_no_settings_file_without() -> None:
    file = Path("/repo/pyproject.toml")
    assert read('[tool.outbox-kit.check]\nprofile = "strict"\n', file).values.profile == "strict"
    assert settings("[tool.ruff]\nline-length = 3\n", file) is None
    assert settings("", file) is None
    assert read("").values.profile is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("profil = 'strict'", ".outbox-kit.toml:1: unknown key 'profil'; did you mean 'profile'?"),
        ("\nfail_on = 'error'", ":2: unknown key 'fail_on'; did you mean 'fail-on'?"),
        ("profile = 'lax'", ":1: invalid 'profile' 'lax': expected standard, outage, strict"),
        ("select = 'acks'", ":1: invalid 'select' 'acks': expected a list"),
        ("select = []", ":1: invalid 'select': expected at least 1 element"),
        ("select = ['ackz']", ":1: select: rule or group 'ackz' not found; did you mean 'acks'?"),
        ("[severity]\nacks = 'fatal'", ":2: invalid 'severity.acks' 'fatal': expected error, warning, info, off"),
        ("[severity]\nackz = 'off'", ":2: severity.ackz: rule or group 'ackz' not found; did you mean 'acks'?"),
        ("[ignore]\n\nacks = ' '", ":3: invalid 'ignore.acks' ' ': expected a text that is not empty"),
        ("[ignore]\nacks = true", ":2: invalid 'ignore.acks' 'true': expected a text"),
        ("ignore = {'a:b' = 'x'}", ":1: ignore.a:b: rule or group 'a' not found"),
        ("[per-file-ignores.'*.json']\nackz = 'x'", ":2: per-file-ignores.*.json.ackz: rule or group 'ackz' not found"),
        ("target-version = '9.9'", ":1: invalid 'target-version': expected a Debezium release up to"),
        ("target-version = 3.6", ":1: invalid 'target-version' '3.6': expected a text"),
        ("[check]\nprofile = 'strict'\n[lint]\na = 1", ":3: 'lint' is outside of [check]"),
        ("a = [", "invalid TOML"),
        ("a = 1\nb = ?", "invalid TOML\n  at    /repo/.outbox-kit.toml:2:5"),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, expected: str) -> None:
    assert expected in told(text)


def test_all_mistakes_are_told_at_once() -> None:
    text = told("profil = 1\nformat = 'xml'\n[tool.outbox-kit.check]\n")
    assert "3 problems in '/repo/.outbox-kit.toml'" in text
    assert "docs/check.md" in text


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        ("a/b.json", "*.json", True),
        ("a/b.json", "b.json", True),
        ("a/b.json", "/b.json", False),
        ("b.json", "/b.json", True),
        ("a/b.json", "a", True),
        ("a/b.json", "a/", True),
        ("a/b.json", "./a/", True),
        ("c/a/b.json", "a/", True),
        ("c/a/b.json", "a/*.json", False),
        ("c/a/b.json", "**/a/*.json", True),
        ("a/b.json", "**/a/*.json", True),
        ("a/c/d/b.json", "a/**/b.json", True),
        ("a/b.json", "a/**/b.json", True),
        ("a/c/b.json", "a/*.json", False),
        ("a/c/b.json", "a/**", True),
        ("a/b1.json", "a/b?.json", True),
        ("a/b1.json", "a/b[0-9].json", True),
        ("a/bx.json", "a/b[!0-9].json", True),
        ("a/b[1.json", "a/b[1.json", True),
        ("a/bz.json", "a/b[z-a].json", False),
        ("a/b.json", "", False),
        ("ab.json", "a", False),
        (f"{'a/' * 40}b.json", f"{'**/' * 40}c.json", False),
    ],
)
def test_a_pattern_means_files_as_gitignore_does(path: str, pattern: str, expected: bool) -> None:
    assert matches(PurePosixPath(path), pattern) is expected
    assert excluded(PurePosixPath(path), ["nothing", pattern]) is expected


def test_the_nearest_file_holds_up_to_the_root_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, inner = tmp_path / "repo", tmp_path / "repo" / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / ".outbox-kit.toml").write_text('profile = "strict"\n')
    assert SettingsFiles().of(inner / "c.json").file == tmp_path.resolve() / ".outbox-kit.toml"
    (repository / ".git").mkdir()
    assert SettingsFiles().of(inner / "c.json") == FileSettings()
    (repository / "pyproject.toml").write_text('[tool.outbox-kit.check]\nprofile = "strict"\n')
    assert SettingsFiles().of(inner / "c.json").file == repository.resolve() / "pyproject.toml"
    (inner.parent / "pyproject.toml").write_text("[tool.ruff]\n")
    assert SettingsFiles().of(inner / "c.json").file == repository.resolve() / "pyproject.toml"
    (repository / ".outbox-kit.toml").write_text("")
    assert SettingsFiles().of(inner / "c.json").file == repository.resolve() / ".outbox-kit.toml"
    (inner / ".outbox-kit.toml").write_text('exclude = ["*.json"]\n')
    files = SettingsFiles()
    assert files.excluded(inner / "c.json") and not files.excluded(repository / "c.json")
    assert SettingsFiles(isolated=True).of(inner / "c.json") == FileSettings()
    monkeypatch.chdir(inner.parent)
    (repository / ".outbox-kit.toml").write_text('exclude = ["b/*.json"]\n')
    only = SettingsFiles(repository / ".outbox-kit.toml")
    assert only.excluded(inner / "c.json") and not SettingsFiles().excluded(repository / "a" / "b.json")
    assert only.of(inner / "c.json").file == repository.resolve() / ".outbox-kit.toml"


def test_a_named_file_that_is_missing_or_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadConfigFile, match="no file"):
        SettingsFiles(tmp_path / "missing.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadConfigFile, match="cannot be read"):
        SettingsFiles(tmp_path / "binary.toml")
