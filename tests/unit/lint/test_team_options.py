"""`check` for a team: settings files, selections, profiles, fixes that are shown first, stdin."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from outbox_kit.cli.check_settings import ProfileChoice
from outbox_kit.findings.documentation import rule_url
from outbox_kit.findings.profiles import DEFAULT, PROFILES
from outbox_kit.lint.rule import RULES
from tests.support.cli import invoke
from tests.unit.lint.cases import Case

Run = Callable[..., Result]
FLAWS = {"errors.tolerance": "all", "slot.name": "debezium", "tasks.max": "4"}


def config(**changes: str) -> str:
    return json.dumps({"name": "shop", "config": Case({**FLAWS, **changes}).config()}, indent=2) + "\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run of `check` in a folder with a config that has an error, a warning and an info."""
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    Path("shop.json").write_text(config())

    def check(*arguments: str, code: int = 0, text: str | None = None) -> Result:
        return invoke("check", *arguments, code=code, stdin=text)

    return check


def ids(result: Result) -> dict[str, str]:
    """The severities of the findings in JSON, by rule; those that are accepted in brackets."""
    return {
        finding["id"]: f"({finding['severity']})" if finding["accepted"] else finding["severity"]
        for finding in json.loads(result.stdout)["findings"]
    }


def test_the_profiles_of_the_option_are_those_of_the_data() -> None:
    assert [choice.value for choice in ProfileChoice] == list(PROFILES)
    assert ProfileChoice(DEFAULT)


def test_rules_and_groups_are_selected(run: Run) -> None:
    whole = ids(run("shop.json", "--format", "json", code=1))
    assert whole == {"errors-tolerance-all": "error", "default-slot-name": "warning", "tasks-max-ignored": "info"}
    some = run("shop.json", "--select", "default-slot-name,keys", "--select", "acks", "--format", "json")
    assert ids(some) == {"default-slot-name": "warning"}
    rules = {"default-slot-name", "acks", *RULES.members("keys")}
    assert {*json.loads(some.stdout)["passed"], "default-slot-name"} == rules
    group = next(rule.group.title.lower() for rule in RULES if rule.id == "errors-tolerance-all")
    assert "errors-tolerance-all" in ids(run("shop.json", "--select", group, "--format", "json", code=1))
    assert "rule or group 'nope' not found" in run("shop.json", "--select", "nope", code=2).stderr


def test_strict_counts_one_severity_more_and_an_explicit_severity_decides_over_it(run: Run) -> None:
    strict = ids(
        run("shop.json", "--profile", "strict", "--severity", "default-slot-name=info", "--format", "json", code=1)
    )
    assert strict == {"errors-tolerance-all": "error", "default-slot-name": "info", "tasks-max-ignored": "warning"}


def test_a_settings_file_decides_and_an_option_decides_over_it(run: Run) -> None:
    Path(".outbox-kit.toml").write_text(
        'profile = "strict"\nfail-on = "warning"\nformat = "json"\n[ignore]\nerrors-tolerance-all = "we count"\n'
        '[severity]\ndefault-slot-name = "off"\n'
    )
    assert ids(run("shop.json", code=1)) == {"errors-tolerance-all": "(error)", "tasks-max-ignored": "warning"}
    run("shop.json", "--fail-on", "error")
    assert ids(run("shop.json", "--profile", "standard")) == {
        "errors-tolerance-all": "(error)",
        "tasks-max-ignored": "info",
    }
    assert "default-slot-name" in ids(run("shop.json", "--severity", "default-slot-name=error", code=1))
    assert run("shop.json", "--format", "text", "--no-config", code=1).stdout.startswith("FAIL: 1 error")
    assert run("shop.json", "--no-config", code=1).stdout.startswith("FAIL: 1 error, 1 warning, 1 info\n")
    Path("other.toml").write_text('select = ["acks"]\n')
    assert run("shop.json", "--config", "other.toml").stdout.startswith("PASS: no findings\n")


def test_each_file_has_the_settings_of_its_folder_and_the_run_those_that_all_share(run: Run) -> None:
    for name in ("a", "b"):
        Path(name).mkdir()
        Path(name, "shop.json").write_text(
            config(**{"database.dbname": name, "slot.name": name, "publication.name": name})
        )
    Path("b/.outbox-kit.toml").write_text('select = ["tasks-max-ignored"]\nfail-on = "info"\n')
    found = json.loads(run("a", "b", "--format", "json", code=1).stdout)["findings"]
    assert {(finding["location"]["file"], finding["id"]) for finding in found if "shared" not in finding["id"]} >= {
        ("a/shop.json", "errors-tolerance-all"),
        ("b/shop.json", "tasks-max-ignored"),
    }
    assert ("b/shop.json", "errors-tolerance-all") not in {(each["location"]["file"], each["id"]) for each in found}
    run("b", code=1)  # fail-on of its own folder


def test_patterns_leave_files_of_folders_out_and_not_a_file_that_is_named(run: Run) -> None:
    Path("old").mkdir()
    Path("old/shop.json").write_text(config())
    Path("new").mkdir()
    Path("new/shop.json").write_text(config(**{"errors.tolerance": "none"}))
    Path(".outbox-kit.toml").write_text('exclude = ["old/"]\n')
    run("new", "old/shop.json", code=1)
    shown = run("old", "new").stdout
    assert "errors-tolerance-all" not in shown
    refused = run("old", code=2).stderr
    assert "exclude" in refused
    Path(".outbox-kit.toml").write_text('[per-file-ignores."old/**"]\nerrors-tolerance-all = "goes soon"\n')
    assert ids(run("old", "--format", "json"))["errors-tolerance-all"] == "(error)"


def test_a_hook_names_files_that_are_skipped(run: Run) -> None:
    Path("README.md").write_text("See connector.class.\n")
    Path("package.json").write_text('{"name": "x"')
    run("README.md", code=2)
    assert run("README.md", "package.json", "--skip-others").stdout.startswith("PASS: no findings\n")
    run("README.md", "shop.json", "--skip-others", code=1)
    Path(".outbox-kit.toml").write_text('exclude = ["shop.json"]\n')
    assert "excluded by the settings: 'shop.json'" in run("shop.json", "--skip-others").stdout
    Path("broken.json").write_text('{"connector.class": ')
    assert "broken.json:1:" in run("broken.json", "--skip-others", code=1).stdout


def test_a_baseline_is_named_from_its_settings_file_s_folder(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("ci").mkdir()
    Path(".outbox-kit.toml").write_text('baseline = "ci/accepted.json"\n')
    missing = run("shop.json", code=2).stderr
    assert "ci/accepted.json" in missing and "--update-baseline" in missing
    assert "wrote 'ci/accepted.json'" in run("shop.json", "--update-baseline").stderr
    assert run("shop.json").stdout.startswith("PASS: 1 info; 2 accepted\n")


def test_a_baseline_accepts_a_finding_about_several_options(run: Run) -> None:
    written = {key: value for key, value in json.loads(config())["config"].items() if "slot" not in key}
    for key in ("publication.name", "publication.autocreate.mode", "heartbeat.interval.ms"):
        written.pop(key)
    Path("shop.json").write_text(json.dumps({"name": "shop", "config": written}))
    assert ids(run("shop.json", "--format", "json", code=1))["left-at-default"] == "warning"
    run("shop.json", "--baseline", "accepted.json", "--update-baseline")
    again = ids(run("shop.json", "--baseline", "accepted.json", "--format", "json"))
    assert again["left-at-default"] == "(warning)"


def test_what_holds_is_shown_with_where_it_is_from(run: Run) -> None:
    Path("pyproject.toml").write_text(
        '[tool.outbox-kit.check]\nprofile = "strict"\nexclude = ["old/"]\n'
        '[tool.outbox-kit.check.severity]\nacks = "off"\n'
        '[tool.outbox-kit.check.per-file-ignores."a/*"]\nkeys = "later"\n'
    )
    Path("sub").mkdir()
    Path("sub/shop.json").write_text(config())
    Path("sub/.outbox-kit.toml").write_text('select = ["keys"]\n')
    shown = run(".", "--show-config", "--fail-on", "info", "--ignore", "keys=known").stdout
    assert shown == (
        "# pyproject.toml, for 1 file\n"
        'target-version = ""  (default)\n'
        'profile = "strict"  (pyproject.toml:2)\n'
        "select = []  (default)\n"
        'exclude = ["old/"]  (pyproject.toml:3)\n'
        'fail-on = "info"  (--fail-on)\n'
        'baseline = ""  (default)\n'
        'format = "text"  (default)\n'
        'severity."acks" = "off"  (pyproject.toml:5)\n'
        'ignore."keys" = "known"  (--ignore)\n'
        'per-file-ignores."a/*"."keys" = "later"  (pyproject.toml:7)\n'
        "\n"
        "# sub/.outbox-kit.toml, for 1 file\n"
        'target-version = ""  (default)\n'
        'profile = "standard"  (default)\n'
        'select = ["keys"]  (sub/.outbox-kit.toml:1)\n'
        "exclude = []  (default)\n"
        'fail-on = "info"  (--fail-on)\n'
        'baseline = ""  (default)\n'
        'format = "text"  (default)\n'
        'ignore."keys" = "known"  (--ignore)\n'
    )


def test_a_release_in_the_settings_holds_until_an_option_names_another(run: Run) -> None:
    key = "transforms.outbox.table.fields.additional.error.on.missing"
    Path("shop.json").write_text(json.dumps({"name": "shop", "config": Case({key: "false"}).config()}))
    Path(".outbox-kit.toml").write_text('target-version = "3.6"\n')
    assert "missing-column-option" in run("shop.json", code=1).stdout
    run("shop.json", "--target-version", "3.5")


# -- fixes ------------------------------------------------------------------------------------------------------------


def test_a_diff_is_shown_and_nothing_is_changed(run: Run) -> None:
    before = Path("shop.json").read_text()
    result = run("shop.json", "--diff", code=1)
    assert Path("shop.json").read_text() == before
    assert result.stderr == "would apply 1 fix to 1 file\n"
    assert result.stdout.startswith("--- shop.json\n+++ shop.json\n@@ ")
    assert '-    "tasks.max": "4",\n+    "tasks.max": "1",\n' in result.stdout
    assert '+    "errors.tolerance' not in result.stdout
    run("shop.json", "--fix", code=1)
    clean = run("shop.json", "--diff")
    assert (clean.stdout, clean.stderr) == ("", "nothing to fix\n")


def test_an_unsafe_fix_is_asked_for_by_name(run: Run) -> None:
    shown = run("shop.json", "--diff", "--unsafe-fixes", code=1)
    assert shown.stderr == "would apply 2 fixes to 1 file\n"
    assert '-    "errors.tolerance": "all"\n+    "errors.tolerance": "none"\n' in shown.stdout
    assert "applied 1 fix\n" in run("shop.json", "--fix", code=1).stderr
    assert '"errors.tolerance": "all"' in Path("shop.json").read_text()
    assert "applied 1 fix\n" in run("shop.json", "--fix", "--unsafe-fixes").stderr
    assert Path("shop.json").read_text() == config(**{"errors.tolerance": "none", "tasks.max": "1"})


def test_a_diff_of_a_file_without_a_newline_at_its_end_is_well_formed(run: Run) -> None:
    Path("a.properties").write_text("connector.class=x.Y\nerrors.tolerance=all")
    shown = run("a.properties", "--diff", "--unsafe-fixes", code=1).stdout
    missing = "\n\\ No newline at end of file\n"
    assert shown.endswith(f"-errors.tolerance=all{missing}+errors.tolerance=none{missing}")


def test_a_diff_has_no_secret(run: Run) -> None:
    secret = "cf7Tq1vR2-secret"  # noqa: S105 - a test's
    lines = ["connector.class=io.debezium.connector.postgresql.PostgresConnector", f"database.password={secret}"]
    lines += ["# PGPASSWORD=hunter2x9", "table.include.list=${env:PASSWORD_TABLE}"]
    Path("a.properties").write_text("\n".join([*lines, "errors.tolerance=all\n"]))
    shown = run("a.properties", "--diff", "--unsafe-fixes", code=1)
    assert secret not in shown.stdout + shown.stderr and "hunter2x9" not in shown.stdout
    assert " table.include.list=${env:PASSWORD_TABLE}\n" in shown.stdout
    run("a.properties", "--fix", "--unsafe-fixes", code=1)
    assert Path("a.properties").read_text().startswith("\n".join([*lines, "errors.tolerance=none\n"]))


def test_a_fix_keeps_permissions_links_and_line_ends(run: Run) -> None:
    Path("real.properties").write_bytes(b"connector.class=x.Y\r\nerrors.tolerance=all\r\n")
    Path("real.properties").chmod(0o755)
    Path("link.properties").symlink_to("real.properties")
    run("link.properties", "--fix", "--unsafe-fixes")
    assert Path("link.properties").is_symlink()
    assert Path("real.properties").read_bytes() == b"connector.class=x.Y\r\nerrors.tolerance=none\r\n"
    assert Path("real.properties").stat().st_mode & 0o777 == 0o755


def test_the_report_counts_what_can_be_fixed(run: Run) -> None:
    shown = run("shop.json", code=1).stdout
    assert "  note: --fix --unsafe-fixes corrects 2 findings, --fix alone 1\n" in shown
    document = json.loads(run("shop.json", "--format", "json", code=1).stdout)
    assert document["fixable"] == {"safe": 1, "unsafe": 1}
    assert "note: --fix corrects 1 finding\n" in run("shop.json", "--select", "tasks-max-ignored").stdout
    run("shop.json", "--fix", code=1)
    assert "note: --fix --unsafe-fixes corrects 1 finding\n" in run("shop.json", code=1).stdout
    run("shop.json", "--fix", "--unsafe-fixes")
    assert "corrects" not in run("shop.json").stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--select", " ,"), "invalid --select ' ,': expected RULE,..."),
        (("--fix", "--diff"), "--fix and --diff exclude each other"),
        (("--unsafe-fixes",), "--unsafe-fixes needs --fix or --diff"),
        (("--diff", "--format", "json"), "--diff prints changes instead of a report"),
        (("--diff", "--report", "json=a.json"), "leave out --report, or --diff"),
        (("--config", "a.toml", "--no-config"), "--config and --no-config exclude each other"),
        (("--config", "a.toml"), "no file 'a.toml'"),
        (("--stdin-filename", "a.json"), "--stdin-filename needs stdin as an argument"),
    ],
)
def test_options_that_exclude_each_other_are_refused(run: Run, arguments: tuple[str, ...], expected: str) -> None:
    result = run("shop.json", *arguments, code=2)
    assert expected in result.stderr


# -- stdin ------------------------------------------------------------------------------------------------------------


def test_stdin_is_checked_under_a_name(run: Run) -> None:
    Path("sub").mkdir()
    Path("sub/.outbox-kit.toml").write_text('select = ["errors-tolerance-all"]\n')
    result = run("-", "--stdin-filename", "sub/shop.json", code=1, text=config())
    assert "sub/shop.json:" in result.stdout and "default-slot-name" not in result.stdout
    assert "stdin:" in run("-", code=1, text=config()).stdout
    Path("sub/.outbox-kit.toml").unlink()
    assert "--- sub/a.json" in run("-", "--stdin-filename", "sub/a.json", "--diff", code=1, text=config()).stdout
    run("-", "--stdin-filename", "a.json", "shop.json", code=1, text=config())
    assert "--fix cannot write to stdin" in run("-", "--fix", code=2, text=config()).stderr


def test_a_schema_file_is_taken_from_stdin_too(run: Run) -> None:
    text = "service: shop\ndatabase: {dialect: postgres}\nevents: [{type: A, aggregate: B}]\n"
    override = "connect: {config: {errors.tolerance: all}}\n"
    assert "outbox.yaml:4:20: error" in run("-", "--stdin-filename", "outbox.yaml", code=1, text=text + override).stdout


# -- documentation ----------------------------------------------------------------------------------------------------


def test_reports_lead_to_the_documentation(run: Run) -> None:
    url = rule_url(RULES.get("errors-tolerance-all"))
    driver = json.loads(run("shop.json", "--format", "sarif", code=1).stdout)["runs"][0]["tool"]["driver"]
    (rule,) = [each for each in driver["rules"] if each["id"] == "errors-tolerance-all"]
    assert rule["helpUri"] == url and url in rule["help"]["markdown"] and "**Fix:**" in rule["help"]["markdown"]
    found = json.loads(run("shop.json", "--format", "json", code=1).stdout)["findings"]
    assert url in [finding["documentation"] for finding in found]
    assert f"[errors-tolerance-all]({url})" in run("shop.json", "--format", "markdown", code=1).stdout
    assert f'<a href="{url}">' in run("shop.json", "--format", "html", code=1).stdout
    assert url not in run("shop.json", code=1).stdout
    assert url in invoke("explain", "errors-tolerance-all").stdout
