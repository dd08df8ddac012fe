"""How a command line is read: schema files, switches, near misses, usage errors, help."""

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import typer

from outbox_kit.cli import COMMANDS, app
from outbox_kit.cli.output import coloured
from outbox_kit.cli.usage import SYNONYMS
from tests.support.cli import invoke

SCHEMA = Path(__file__).parents[1] / "examples" / "orders" / "outbox.yaml"
ALL: dict[str, object] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
WITHOUT_RESULT = {"demo", "exporter", "logs", "lsp", "openapi"}
"""Commands whose output is a stream of lines for a reader, the messages of a protocol, or a document of a format of its
own."""
READERS = ("gen-ddl", "gen-connector", "gen-runbook", "gen-contracts")


@pytest.mark.parametrize("command", READERS)
def test_a_schema_file_is_an_argument_or_an_option(command: str) -> None:
    as_option = invoke(command, "-f", str(SCHEMA)).stdout
    assert as_option == invoke(command, str(SCHEMA)).stdout == invoke(command, f"--file={SCHEMA}").stdout


def test_a_schema_file_may_stand_before_and_after_options(tmp_path: Path) -> None:
    out = tmp_path / "connector.json"
    invoke("gen-connector", str(SCHEMA), "--out", str(out))
    invoke("gen-connector", "--check", "--out", str(out), str(SCHEMA))


def test_a_schema_file_has_the_name_of_an_option_s_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("orders").write_text(SCHEMA.read_text().replace("schemas/", f"{SCHEMA.parent}/schemas/"))
    invoke("gen-connector", "--service", "orders", "orders")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("gen-ddl", "-f", "a", "b"), "two schema files are given"),
        (("gen-ddl", "a", "b"), "unexpected argument 'b'"),
        (("gen-ddl", "--aply"), "unknown option '--aply'; did you mean '--apply'?"),
        (("gen-ddl", "--apply=3"), "option '--apply' does not take a value"),
        (("gen-ddl", "--phase", "x"), "invalid --phase 'x': expected one of expand, migrate, contract"),
        (("gen-ddl", "--phase"), "option '--phase' requires an argument"),
        (("verify", "--timeout", "abc"), "invalid --timeout 'abc': expected a number of at least 1"),
        (("verify", "--timeout=0"), "invalid --timeout '0': expected a number of at least 1"),
        (("verify", "--workers", "1.5"), "invalid --workers '1.5': expected a whole number of at least 1"),
        (("verify", "explain"), "unknown command 'explain' of 'outbox-kit verify'"),
        (("init", "--dialect", "postgress"), "invalid --dialect 'postgress': expected postgres, mysql, mariadb"),
        (("verify", "inspect"), "TOPIC-PARTITION@OFFSET is missing: the message, as in reports"),
        (("diff", "a.yaml", "b.yaml"), "unexpected argument 'b.yaml'"),
        (("verify", "shard"), "--of is missing"),
        (("verify", "--timeout", "3", "follow"), "'--timeout' stands before the command 'follow'"),
        (("outbox.yaml",), "unknown command 'outbox.yaml'"),
        (("verfy",), "unknown command 'verfy'; did you mean 'verify'?"),
        (("deploy",), "unknown command 'deploy'; did you mean 'deploy-connector'?"),
        (("runbook",), "unknown command 'runbook'; did you mean 'gen-runbook'?"),
        (("lint",), "unknown command 'lint'; did you mean 'check'?"),
        (("diagnose",), "unknown command 'diagnose'; did you mean 'doctor'?"),
        (("unpause",), "unknown command 'unpause'; did you mean 'resume'?"),
        (("replay",), "unknown command 'replay'; did you mean 'resend'?"),
        (("dlq",), "unknown command 'dlq'; did you mean 'relay dead list'?"),
        (("handover",), "unknown command 'handover'; did you mean 'hand-over'?"),
        (("loglevel",), "unknown command 'loglevel'; did you mean 'log-level'?"),
        (("relay", "deed"), "unknown command 'deed'; did you mean 'dead'?"),
        (("offsets", "rewnd"), "unknown command 'rewnd'; did you mean 'rewind'?"),
        (("snapshot", "strat"), "invalid SIGNAL 'strat': expected one of start, stop, pause, resume; did you mean"),
        (("relay", "dead", "show", "abc"), "invalid NUMBER 'abc': expected a whole number"),
        (("relay", "dead", "retry", "1", "b"), "invalid NUMBER 'b': expected a whole number"),
        (("gen-connector", "--target", "strimz"), "invalid --target 'strimz': expected one of confluent-cloud"),
        (("log-level", "DEBUG", "--for", "0"), "invalid --for '0': expected a number of at least 1"),
        (("replace",), "--from is missing: the connector that publishes now"),
        (("stack", "upp"), "unknown command 'upp'; did you mean 'up'?"),
        (("-x",), "unknown option '-x'"),
        (("-q", "-v", "check"), "--quiet and --verbose exclude each other"),
    ],
)
def test_a_usage_error_says_what_is_expected_and_what_to_do(words: tuple[str, ...], message: str) -> None:
    result = invoke(*words, code=2)
    first, *rest = result.stderr.splitlines()
    assert first.startswith(f"error: {message}") and (not rest or rest[0].startswith("  fix   "))
    assert result.stdout == ""


def test_the_commands_of_other_tools_lead_to_commands() -> None:
    assert {words.split()[0] for words in SYNONYMS.values()} <= {*ALL, "--help", "--version"}
    assert not set(SYNONYMS) & set(ALL)


def test_every_command_is_listed_once_in_a_group() -> None:
    listed = [name for names in COMMANDS.values() for name in names]
    assert sorted(listed) == sorted(ALL)


def test_errors_are_json_too() -> None:
    result = invoke("status", "no.yaml", "--format", "json", code=2)
    document = json.loads(result.stdout)
    assert document["schema"] == "outbox-kit/error/v1" and document["exit_code"] == 2
    assert document["error"]["what"] in result.stderr and document["error"]["fix"]


OFFLINE = (
    ("explain", "LOS-01"),
    ("explain", "slot.name"),
    ("explain", "table.retention"),
    ("explain", "--all"),
    ("presets",),
    ("presets", "barrier"),
    ("gen-code", "--list"),
    ("gen-code", "python", "-f", str(SCHEMA)),
    ("gen-connector", "--explain", str(SCHEMA)),
    ("preview", "--all-events", str(SCHEMA)),
    ("check", str(SCHEMA)),
    ("diff", "--against", str(SCHEMA), str(SCHEMA)),
    ("verify", "--no-table", "--messages", "/dev/null", str(SCHEMA)),
    ("schema",),
    ("schema", "status"),
    *((command, str(SCHEMA)) for command in READERS),
)


@pytest.mark.parametrize("words", OFFLINE, ids=" ".join)
def test_json_is_as_its_published_schema_says(words: tuple[str, ...]) -> None:
    document = json.loads(invoke(*words, "--format", "json", code=None).stdout)  # which `invoke` compares
    name = document["schema"].split("/")[1]
    assert json.loads(invoke("schema", name).stdout)["$id"] == document["schema"]


def test_every_command_prints_json() -> None:
    complete = list(ALL.values())
    while groups := [command for command in complete if hasattr(command, "commands")]:
        single = [command for command in complete if command not in groups]
        complete = [*single, *(command for group in groups for command in group.commands.values())]
    lacking = {command.name for command in complete if not any("--format" in param.opts for param in command.params)}
    assert lacking == WITHOUT_RESULT


def test_an_unknown_document_leads_to_the_known_ones() -> None:
    result = invoke("schema", "statsu", code=2)
    assert "document 'statsu' not found; did you mean 'status'?" in result.stderr


def test_switches_stand_before_or_after_the_command(tmp_path: Path) -> None:
    for words in (("-q", "gen-connector"), ("gen-connector", "--quiet")):
        assert invoke(*words, str(SCHEMA), "-o", str(tmp_path / "c.json")).stderr == ""
    assert "Traceback" in invoke("check", "no.yaml", "--debug", code=2).stderr


def test_quiet_shows_errors_and_warnings() -> None:
    assert invoke("check", "no.yaml", "-q", code=2).stderr.startswith("error: ")


def test_the_help_of_verify_leaves_out_what_few_need() -> None:
    short, complete = (invoke("verify", option).stdout for option in ("--help", "--help-all"))
    assert len(short.splitlines()) < 56 < len(complete.splitlines())
    assert "--help-all" in short and "--catch-up-method" not in short and "--catch-up-method" in complete


def commands(group: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command, those in groups too."""
    for name, command in (ALL if group is None else group.commands).items():
        yield (*path, name)
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))


@pytest.mark.parametrize("words", sorted(commands()), ids=" ".join)
def test_the_help_of_a_command_fits_a_screen(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert len(invoke(*words, "--help").stdout.splitlines()) < 60


def test_every_command_that_asks_a_system_has_a_time_limit() -> None:
    """But the relay and the coordinator, which run until they are interrupted."""
    for words in commands():
        command: Any = typer.main.get_command(app)
        for word in words:
            command = command.commands[word]
        options = {option for param in command.params for option in param.opts}
        if options & {"--dsn", "--connect", "--bootstrap"} and words not in {("relay",), ("coordinator", "serve")}:
            assert "--timeout" in options, words


def test_an_unlike_word_leads_to_no_command() -> None:
    assert "did you mean" not in invoke("archive", code=2).stderr


@pytest.mark.parametrize("name", sorted(ALL))
def test_help_names_each_option_once(name: str) -> None:
    text = invoke(name, "--help").stdout
    assert text.startswith(f"Usage: outbox-kit {name} ")
    options = [line.split()[0].rstrip(",") for line in text.splitlines() if line.startswith("  -")]
    assert len(options) == len(set(options))


def test_init_with_its_options_asks_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal too: the demo and the quick start would wait for an answer."""
    monkeypatch.setattr("outbox_kit.cli.init._on_terminal", lambda: True)
    monkeypatch.setattr(typer, "prompt", lambda *_, **__: pytest.fail("asked"))
    invoke("init", str(tmp_path), "--service", "shop", "--event", "OrderPlaced:Order")
    assert "name: shop" in (tmp_path / "outbox.yaml").read_text()


def test_an_interruption_before_the_command_runs_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("outbox_kit.cli.parsing._Readable.parse_args", interrupted)
    assert "interrupted" in invoke("check", str(SCHEMA), code=130).stderr


def test_no_command_prints_the_help() -> None:
    assert invoke(code=2).stdout.startswith("Usage: outbox-kit [OPTIONS] COMMAND")


def test_verbose_shows_requests_and_other_runs_do_not() -> None:
    words = ("status", str(SCHEMA), "--dsn", "host=127.0.0.1 port=1", "--timeout", "5")
    assert "connecting to PostgreSQL at 127.0.0.1:1" in invoke(*words, "--verbose", code=4).stderr
    assert "connecting" not in invoke(*words, code=4).stderr


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("PASS: 1 event", "PASS"),
        ("FAIL: 1 error", "FAIL"),
        ("a.json:4:5: warning: x", "warning"),
        ("error: x", "error"),
    ],
)
def test_verdicts_and_severities_have_colours_on_a_terminal(
    line: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert f"\x1b[1m{word}\x1b[0m" in coloured(line, Terminal())
    assert coloured(line, StringIO()) == coloured("no errors", Terminal()).replace("no errors", line) == line
    monkeypatch.setenv("NO_COLOR", "1")
    assert coloured(line, Terminal()) == line
