"""check, explain and preview at a terminal: what is said, what is written, how they end."""

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from ruamel.yaml import YAML
from typer.testing import Result

from outbox_kit.__main__ import main
from tests.support.cli import invoke
from tests.unit.lint.cases import Case

Run = Callable[..., Result]
SCHEMA = """service: shop
database: {dialect: postgres}
events:
  - type: OrderPlaced
    aggregate: Order
    payload: {type: object, properties: {id: {type: string, format: uuid}, total: {type: number, minimum: 1}}}
  - {type: OrderGone, aggregate: Order, tombstone: true}
"""
STRIMZI = """# ours
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata:
  name: shop
spec:
  class: io.debezium.connector.postgresql.PostgresConnector
  tasksMax: 4
  config:
    topic.prefix: shop  # kept
    errors.tolerance: all
    database.server.name: shop
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def check(*arguments: str, code: int = 0) -> Result:
        return invoke(*arguments, code=code)

    return check


@pytest.fixture
def flawed(run: Run) -> str:
    """A config with an error, a warning and an info."""
    change = {"errors.tolerance": "all", "slot.name": "debezium", "tasks.max": "4"}
    Path("connector.json").write_text(json.dumps({"name": "shop", "config": Case(change).config()}, indent=2))
    return "connector.json"


def test_a_finding_has_its_place_its_reason_and_its_fix(run: Run, flawed: str) -> None:
    text = run("check", flawed, code=1).stdout
    lines = Path(flawed).read_text().splitlines()
    number = next(n for n, line in enumerate(lines, 1) if "errors.tolerance" in line)
    assert f"connector.json:{number}:5: error: an event that cannot be sent is lost [errors-tolerance-all]" in text
    assert "    why  A source connector that tolerates errors drops the event" in text
    assert "    fix  set errors.tolerance=none" in text
    assert text.startswith("FAIL: 1 error, 1 warning, 1 info\n")


def test_the_least_weight_that_fails_is_chosen(run: Run, flawed: str) -> None:
    for weight in ("error", "warning", "info"):
        run("check", flawed, "--fail-on", weight, code=1)
    run("check", flawed, "--ignore", "errors-tolerance-all=known", "--fail-on", "error")
    run("check", flawed, "--ignore", "errors-tolerance-all=known", "--fail-on", "warning", code=1)


def test_a_rule_is_set_aside_with_its_reason_and_switched_off_or_weighed_otherwise(run: Run, flawed: str) -> None:
    aside = ("--ignore", "errors-tolerance-all:errors.tolerance=until 2027", "--severity", "default-slot-name=off")
    assert run("check", flawed, *aside).stdout.startswith("PASS: 1 info; 1 accepted\n")
    found = json.loads(run("check", flawed, *aside, "--format", "json").stdout)["findings"]
    assert {one["id"]: one["accepted"] for one in found} == {
        "errors-tolerance-all": "until 2027",
        "tasks-max-ignored": None,
    }
    heavy = run("check", flawed, *aside, "--severity", "tasks-max-ignored=error", code=1).stdout
    assert heavy.startswith("FAIL: 1 error; 1 accepted\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--ignore", "acks"), "invalid --ignore 'acks': expected RULE=REASON"),
        (("--ignore", "aks=because"), "did you mean 'acks'"),
        (("--severity", "acks=fatal"), "invalid --severity 'acks=fatal'"),
        (("--severity", "nonsense=off"), "rule or group 'nonsense' not found"),
        (("--target-version", "new"), "invalid --target-version 'new'"),
        (("--target-version", "9.9"), "unknown Debezium release '9.9'"),
        (("--explain", "--format", "json"), "--explain prints text only"),
        (("missing.json",), "no file 'missing.json'"),
        (("folder",), "no schema file and no connector config found in 'folder'"),
        (("binary.json",), "is not text in UTF-8"),
        (("empty.json",), "is empty"),
        (("broken.json",), "invalid JSON"),
        (("broken.yaml",), "invalid YAML"),
        (("other.yaml",), "no connector config found in the YAML"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], told: str
) -> None:
    Path("outbox.yaml").write_text(SCHEMA)
    Path("folder").mkdir()
    Path("binary.json").write_bytes(b"\xff\xfe\x00{")
    Path("empty.json").write_text("")
    Path("broken.json").write_text('{"a": ')
    Path("broken.yaml").write_text("a: [\n")
    Path("other.yaml").write_text("kind: Deployment\n")
    monkeypatch.setattr("sys.argv", ["outbox-kit", "check", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert told in said
    assert "Traceback" not in said


def test_every_format_carries_the_findings(run: Run, flawed: str) -> None:
    sarif = json.loads(run("check", flawed, "--format", "sarif", code=1).stdout)
    results = sarif["runs"][0]["results"]
    rules = sarif["runs"][0]["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in results] == [result["ruleId"] for result in results]
    assert {result["level"] for result in results} == {"error", "warning", "note"}
    junit = ElementTree.fromstring(run("check", flawed, "--format", "junit", code=1).stdout)  # noqa: S314 - ours
    assert len(junit.findall(".//failure")) == 1
    github = run("check", flawed, "--format", "github", code=1).stdout.splitlines()
    assert sorted(line.split(" ")[0] for line in github) == ["::error", "::notice", "::notice", "::warning"]
    run("check", flawed, "--report", "sarif=found.sarif", code=1)
    assert json.loads(Path("found.sarif").read_text()) == sarif


def test_fix_rewrites_what_has_one_safe_fix_and_leaves_the_rest_as_it_stood(run: Run, flawed: str) -> None:
    before = Path(flawed).read_text()
    said = run("check", flawed, "--fix", code=1).stderr
    assert "applied 1 fix" in said
    said += run("check", flawed, "--fix", "--unsafe-fixes").stderr
    assert Path(flawed).read_text() == before.replace(
        '"errors.tolerance": "all"', '"errors.tolerance": "none"'
    ).replace('"tasks.max": "4"', '"tasks.max": "1"')
    run("check", flawed, "--fix")


def test_fix_keeps_comments_and_order_of_yaml_and_properties(run: Run) -> None:
    Path("c.yaml").write_text(STRIMZI)
    run("check", "c.yaml", "--fix", "--unsafe-fixes", code=1)  # options that nobody can guess are still missing
    fixed = Path("c.yaml").read_text()
    assert "    topic.prefix: shop  # kept\n    errors.tolerance: none\n" in fixed
    assert "database.server.name" not in fixed
    assert fixed.startswith("# ours\n")
    Path("c.properties").write_text("! ours\nconnector.class=x.Y\nerrors.tolerance = all\n")
    run("check", "c.properties", "--fix", "--unsafe-fixes")
    assert Path("c.properties").read_text() == "! ours\nconnector.class=x.Y\nerrors.tolerance = none\n"


def test_a_resource_of_strimzi_in_json_is_read_as_in_yaml(run: Run) -> None:
    resource = YAML(typ="safe", pure=True).load(STRIMZI)
    Path("c.json").write_text(json.dumps(resource, indent=2))
    Path("c.yaml").write_text(STRIMZI)
    as_json, as_yaml = (
        json.loads(run("check", path, "--format", "json", code=1).stdout)["findings"] for path in ("c.json", "c.yaml")
    )
    assert [finding["id"] for finding in as_json] == [finding["id"] for finding in as_yaml]
    run("check", "c.json", "--fix", "--unsafe-fixes", code=1)
    fixed = json.loads(Path("c.json").read_text())
    assert fixed["spec"]["config"] == {"topic.prefix": "shop", "errors.tolerance": "none"}


def test_fix_reaches_the_overrides_of_a_schema_file(run: Run) -> None:
    written = f"{SCHEMA}connect:\n  config:\n    errors.tolerance: all  # why not\n    max.batch.size: 100\n"
    Path("outbox.yaml").write_text(written)
    run("check", "--fix", code=1)
    run("check", "--fix", "--unsafe-fixes")
    assert Path("outbox.yaml").read_text() == written.replace("all ", "none ")


def test_a_schema_file_decides_for_itself(run: Run) -> None:
    override = "connect: {config: {errors.tolerance: all}}\n"
    Path("outbox.yaml").write_text(SCHEMA + override)
    assert "outbox.yaml:8:20: error" in run("check", code=1).stdout
    Path("outbox.yaml").write_text(f"{SCHEMA}{override}lint: {{ignore: {{errors-tolerance-all: we count them}}}}\n")
    assert run("check").stdout.startswith("PASS: no findings; 1 accepted\n")
    Path("outbox.yaml").write_text(f"{SCHEMA}{override}lint: {{severity: {{errors-tolerance-all: off}}}}\n")
    assert run("check").stdout.startswith("PASS: no findings\n")


def test_a_folder_is_checked_as_a_whole(run: Run, flawed: str) -> None:
    Path("deploy/deep").mkdir(parents=True)
    for name in ("one", "two"):
        config = Case({"database.dbname": name, "slot.name": name, "publication.name": name}).config()
        Path(f"deploy/deep/{name}.json").write_text(json.dumps({"name": "shop", "config": config}))
    Path("deploy/package.json").write_text("{")
    said = run("check", "deploy").stdout
    name = "the connector name 'shop' is also used for another database in deploy/deep/two.json"
    assert said.count(f"warning: {name} [duplicate-connector-name]") == 1
    assert "note: skipped, neither a schema file nor a connector config: 'deploy/package.json'" in said


def test_debezium_server_s_properties_are_read_as_what_they_mean(run: Run) -> None:
    config = {k: v for k, v in Case().config().items() if not k.endswith(".converter")}
    lines = [f"debezium.source.{k}={v}" for k, v in config.items() if not k.startswith(("transforms", "predicates"))]
    lines += [f"debezium.{k}={v}" for k, v in config.items() if k.startswith(("transforms", "predicates"))]
    lines += [
        "debezium.source.offset.storage.file.filename=data/offsets",
        "debezium.sink.type=pulsar",
        "debezium.format.value=simplestring",
        "debezium.format.key=simplestring",
        "quarkus.x=y",
    ]
    escaped = [line.replace("\\", "\\\\") for line in lines]
    Path("application.properties").write_text("\n".join(escaped))
    assert run("check", "application.properties", "--fail-on", "info").stdout.startswith("PASS: no findings\n")
    assert "StringConverter" not in run("preview", "application.properties").stderr
    Path("application.properties").write_text("\n".join(escaped).replace("value=simplestring", "value=json"))
    said = run("check", "application.properties").stdout
    assert f"application.properties:{len(lines) - 2}:1: warning" in said
    assert "[json-converter-on-text-payload]" in said
    # an option of every converter, and a class that is not read
    wrapped = run("check", "application.properties").stdout.count("json-converter-on-text-payload")
    more = ["debezium.format.schemas.enable=false", "debezium.source.value.converter=x.Converter"]
    Path("application.properties").write_text("\n".join([*escaped, *more]).replace("value=simplestring", "value=json"))
    said = run("check", "application.properties").stdout
    read = "Debezium Server does not read 'debezium.source.value.converter'; it reads 'debezium.format.value'"
    assert f"application.properties:{len(lines) + 2}:1: info: {read} [unread-setting]" in said
    assert "x.Converter" not in run("preview", "application.properties").stderr
    assert said.count("json-converter-on-text-payload") == wrapped and "schemas-enable-ignored" not in said


def test_an_upgrade_is_advised(run: Run) -> None:
    key = "transforms.outbox.table.fields.additional.error.on.missing"
    Path("c.json").write_text(json.dumps({"name": "shop", "config": Case({key: "false"}).config()}))
    run("check", "c.json", "--target-version", "3.5")
    assert "missing-column-option" in run("check", "c.json", "--target-version", "3.6", code=1).stdout


def test_every_setting_is_shown_with_its_default(run: Run) -> None:
    Path("outbox.yaml").write_text(SCHEMA)
    lines = run("check", "--explain").stdout.splitlines()
    assert 'service = "shop"' in lines
    assert "connect.heartbeat_ms = 10000  (default)" in lines


# -- explain ----------------------------------------------------------------------------------------------------------


def test_a_rule_and_an_option_are_explained(run: Run) -> None:
    assert "dbz#1970" in run("explain", "heartbeat-update-skipped").stdout
    said = run("explain", "table.fields.additional.error.on.missing").stdout
    assert "until     3.5" in said
    assert "table.field.additional.missing" in said
    assert "acks" in run("explain", "--all").stdout
    assert run("explain", "transforms.outbox.route.by.field").stdout


def test_a_key_of_the_schema_file_and_the_keys_below_it_are_explained(run: Run) -> None:
    explained = run("explain", "table.extra").stdout
    assert (
        "table.extra[].kind (schema file)\n  type      text, integer, bigint, boolean, uuid\n  default   text"
        in explained
    )
    assert run("explain", "events.type").stdout.startswith("events[].type (schema file)")
    unknown = run("explain", "table.extras", code=2)
    assert (
        "rule, group, schema file key or connector option 'table.extras' not found; did you mean 'table.extra'"
        in unknown.stderr
    )


# -- preview ----------------------------------------------------------------------------------------------------------


def test_every_declared_event_is_shown_as_its_message(run: Run) -> None:
    Path("outbox.yaml").write_text(SCHEMA)
    placed, gone = json.loads(run("preview", "--all-events", "--format", "json").stdout)["messages"]
    assert placed["topic"] == gone["topic"] == "outbox.event.Order"
    assert placed["partition"] == gone["partition"] is not None
    assert json.loads(placed["value"])["total"] == 1
    assert gone["value"] is None
    assert "null (a tombstone)" in run("preview", "-e", "OrderGone").stdout


def test_a_row_of_ones_own_is_shown(run: Run) -> None:
    Path("outbox.yaml").write_text(SCHEMA)
    Path("row.json").write_text('{"aggregateid": "ü 7", "payload": {"total": 12.50}}')
    said = run("preview", "--row-file", "row.json").stdout
    assert "key                   ü 7\n" in said
    assert 'value                 {"total": 12.5}\n' in said
    assert "dropped: a DELETE" in run("preview", "--op", "d").stdout
    assert "dropped, with a warning in the log" in run("preview", "--op", "u").stdout
    assert "dropped, with a warning in the log" in run("preview", "--op", "u").stdout


def test_a_pattern_has_a_sample_and_an_event_without_one_hides_no_other(run: Run) -> None:
    pattern = "payload: {type: object, properties: {amount: {type: string, pattern: '%s'}}}"
    events = f"""events:
  - {{type: Odd, aggregate: Order, {pattern % "^(?=x)y$"}}}
  - {{type: Paid, aggregate: Order, {pattern % "^[0-9]+[.][0-9]{2}$"}}}
headers: [{{name: region, pattern: "[a-z]{{2}}"}}]
table: {{extra: [{{name: region}}]}}
"""
    Path("outbox.yaml").write_text(f"service: shop\ndatabase: {{dialect: postgres}}\n{events}")
    shown = run("preview", "--all-events", code=2)
    assert '{"amount": "1.11"}' in shown.stdout and "header region         aa\n" in shown.stdout
    assert "no sample payload for 'Odd'" in shown.stderr


def test_a_connector_config_in_place_of_a_schema_file_is_named(run: Run, flawed: str) -> None:
    Path("c.yaml").write_text(STRIMZI)
    Path("c.properties").write_text("name=shop\nconnector.class=x.Y\n")
    for path in (flawed, "c.yaml", "c.properties"):
        refused = run("gen-connector", "-f", path, code=2).stderr
        assert f"'{path}' is a connector config, not a schema file" in refused
    Path("empty.yaml").write_text("# nothing\n---\n")
    for command in ("check", "gen-connector"):
        assert "'empty.yaml' is empty" in run(command, "-f", "empty.yaml", code=2).stderr


def test_a_row_that_stops_the_task_is_said_so(run: Run) -> None:
    config = Case({"transforms.outbox.table.field.event.timestamp": "at"}).config()
    Path("c.json").write_text(json.dumps({"name": "shop", "config": config}))
    run("preview", "c.json")
    Path("row.json").write_text('{"at": {"type": "timestamptz", "value": "2026-11-21T12:00:00Z"}}')
    assert "is not of type INT64" in run("preview", "c.json", "--row-file", "row.json", code=1).stdout


def test_fix_reaches_what_stands_verbatim_in_another_text(run: Run) -> None:
    server = "# ours\ndebezium.source.connector.class=a.B\ndebezium.source.errors.tolerance=all\n"
    Path("application.properties").write_text(server)
    run("check", "application.properties", "--fix", "--unsafe-fixes", code=1)
    assert Path("application.properties").read_text() == server.replace("=all", "=none")
    config = '{"name": "a", "config": {\n  "connector.class": "a.B",\n  "errors.tolerance": "all"}}'
    quoted, unquoted = f"cat <<'EOF'\n{config}\nEOF\n", f"cat <<EOF\n{config.replace('a.B', '$X')}\nEOF\n"
    for name, text in (("a.sh", quoted), ("b.sh", unquoted), ("README.md", f"# A\n\n```json\n{config}\n```\n")):
        Path(name).write_text(text)
    run("check", "a.sh", "README.md", "--fix", "--unsafe-fixes")
    assert Path("a.sh").read_text() == quoted.replace('"all"', '"none"')
    assert '"errors.tolerance": "none"}}\n```' in Path("README.md").read_text()
    run("check", "b.sh", "--fix", "--unsafe-fixes", code=1)
    assert Path("b.sh").read_text() == unquoted  # the shell changes what stands there


@pytest.mark.parametrize(
    ("name", "around", "between"),
    [
        ("requests.http", "POST http://a/connectors\nContent-Type: application/json\n\n{}\n\n", "###\n\n"),
        ("notes.txt", "{}\n", "and\n"),
        ("README.md", "```json\n{}\n```\n", "\n"),
    ],
)
def test_fix_tells_configs_of_one_name_apart(run: Run, name: str, around: str, between: str) -> None:
    options = '"connector.class": "{}",\n"plugin.name": "pgoutput",\n"topic.prefix": "shop",\n"errors.tolerance": "all"'
    former = options.replace("topic.prefix", "database.server.name")
    classes = ("a.B", "io.debezium.connector.postgresql.PostgresConnector")
    configs = [each.replace("{}", name) for each, name in zip((options, former), classes, strict=True)]
    before = between.join(around.replace("{}", f'{{"name": "a", "config": {{\n  {each}\n}}}}') for each in configs)
    Path(name).write_text(before)
    run("check", name, "--fix", "--unsafe-fixes", code=None)
    assert Path(name).read_text() == before.replace('"all"', '"none"').replace("database.server.name", "topic.prefix")


def test_findings_of_the_same_content_are_one_with_the_other_lines(run: Run) -> None:
    config = '{"name": "%s", "config": {"connector.class": "io.debezium.connector.postgresql.PostgresConnector"}}'
    Path("several.json").write_text(f"[{config % 'a'},\n{config % 'b'},\n{config % 'c'}]")
    said = run("check", "several.json", code=1).stdout
    assert said.count("[required-option-missing]") == 1
    assert "required options are not set: database.dbname, database.hostname, database.user, topic.prefix" in said
    assert "also at lines 2, 3" in said


def test_one_file_that_cannot_be_read_ends_no_run_over_a_folder(run: Run, flawed: str) -> None:
    Path("deploy").mkdir()
    Path(flawed).rename(f"deploy/{flawed}")
    Path("deploy/broken.json").write_text('{"config": {\n "connector.class" "a.B"}}')
    Path("deploy/broken.yaml").write_text("connector.class: [\n")
    Path("deploy/outbox.yaml").write_text("service: [\n")
    Path("deploy/latin.properties").write_bytes(b"connector.class=\xff\n")
    page = Path("deploy") / "README.md"
    page.write_text("# Nothing\n")
    said = run("check", "deploy", code=1).stdout
    assert "deploy/broken.json:2:20: error: invalid JSON: expected ':' [unreadable-config]" in said
    assert "deploy/broken.yaml:2:1: error: invalid YAML" in said
    assert "deploy/outbox.yaml:2:1: error: " in said
    assert "[errors-tolerance-all]" in said
    assert "not text in UTF-8: 'deploy/latin.properties'" in said
    assert f"neither a schema file nor a connector config: '{page}'" in said


SUPPRESSIONS = {
    "a.properties": "connector.class=a.B\n# outbox-kit: ignore errors-tolerance-all: counted\nerrors.tolerance=all\n",
    "b.properties": "connector.class=a.B\nerrors.tolerance=all\n# outbox-kit: ignore-file loss, acks: counted\n",
    "c.yaml": "connector.class: a.B\nerrors.tolerance: all  # outbox-kit: ignore errors-tolerance-all: counted\n",
    "d.json": '{"connector.class": "a.B",\n"//": "outbox-kit: ignore delivery: counted",\n"errors.tolerance": "all"}',
    "README.md": "<!-- outbox-kit: ignore-file errors-tolerance-all: counted -->\n"
    '```json\n{"connector.class": "a.B", "errors.tolerance": "all"}\n```\n',
}


@pytest.mark.parametrize("name", SUPPRESSIONS)
def test_a_comment_in_the_file_accepts_findings_with_its_reason(run: Run, name: str) -> None:
    Path(name).write_text(SUPPRESSIONS[name])
    (finding,) = json.loads(run("check", name, "--format", "json").stdout)["findings"]
    assert (finding["id"], finding["accepted"]) == ("errors-tolerance-all", "counted")


def test_a_comment_holds_for_its_place_and_rule_only_and_needs_a_reason(run: Run) -> None:
    comment = "# outbox-kit: ignore errors-tolerance-all: counted"
    Path("far.properties").write_text(f"{comment}\nconnector.class=a.B\nerrors.tolerance=all\n")
    Path("none.properties").write_text(f"connector.class=a.B\n{comment.rpartition(':')[0]}\nerrors.tolerance=all\n")
    Path("other.properties").write_text(f"connector.class=a.B\n{comment.replace('-all', '')}\nerrors.tolerance=all\n")
    for name, said in (("far", ""), ("none", "it states no reason"), ("other", "rule or group 'errors-tolerance' not")):
        shown = run("check", f"{name}.properties", code=1).stdout
        assert said in shown and "[errors-tolerance-all]" in shown


def test_a_fix_that_changes_messages_is_not_safe(run: Run) -> None:
    change = {
        "transforms.outbox.table.expand.json.payload": "true",
        "transforms.outbox.route.by_field": "kind",
        "poll.intervalMs": "7",
        "tasks.max": "3",
    }
    Path("c.json").write_text(json.dumps({"name": "shop", "config": Case(change).config()}))
    findings = json.loads(run("check", "c.json", "--format", "json", code=1).stdout)["findings"]
    safe = {finding["edit"]["key"]: finding["edit"]["safe"] for finding in findings if finding["edit"]}
    assert safe == {
        "transforms.outbox.table.expand.json.payload": False,
        "transforms.outbox.route.by_field": False,
        "poll.intervalMs": True,
        "tasks.max": True,
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"delete.handling.mode": "rewrite", "drop.tombstones": "false"}, "rewrite-with-tombstone"),
        ({"delete.handling.mode": "rewrite"}, "rewrite"),
        ({"drop.tombstones": "false"}, "tombstone"),
    ],
)
def test_two_options_of_unwrapping_become_the_one_that_replaced_them(run: Run, old: dict[str, str], new: str) -> None:
    kind = {"transforms": "u", "transforms.u.type": "io.debezium.transforms.ExtractNewRecordState"}
    config = Case({**kind, "predicates": None, **{f"transforms.u.{k}": v for k, v in old.items()}}).config()  # type: ignore[dict-item]
    kept = {key: value for key, value in config.items() if not key.startswith(("transforms.outbox", "predicates"))}
    Path("c.json").write_text(json.dumps({"name": "shop", "config": kept}, indent=1))
    invoke("check", "c.json", "--fix", "--unsafe-fixes", code=None)
    fixed = json.loads(Path("c.json").read_text())["config"]
    assert fixed["transforms.u.delete.tombstone.handling.mode"] == new
    assert not any(f"transforms.u.{key}" in fixed for key in old)
