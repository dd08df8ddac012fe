"""Environments: what an overlay changes, where its mistakes are reported, and what it must not change."""

import json
from pathlib import Path

import pytest

from outbox_kit.errors import BadSchemaFile, UnknownName
from outbox_kit.schema.effective import SettingSource, settings
from outbox_kit.schema.jsonschema import jsonschema
from outbox_kit.schema.read import read
from tests.support.cli import invoke

BASE = """service: shop
database: {dialect: postgres, host: localhost}
events:
  - {type: OrderPlaced, aggregate: Order}
connect:
  config: {poll.interval.ms: 50, max.batch.size: 10}
"""
INLINE = """environments:
  dev:
  prod:
    database: {host: db.prod}
    connect:
      connector: shop-prod
      config: {poll.interval.ms: 5}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "outbox.yaml"
    path.write_text(BASE + INLINE)
    return path


def details(path: Path, env: str | None = "prod") -> list[str]:
    with pytest.raises(BadSchemaFile) as error:
        read(path, env)
    return [line.strip().replace(f"{path.parent}/", "") for line in error.value.details]


def test_maps_are_merged_and_values_replaced(file: Path) -> None:
    dev, prod = (read(file, env).outbox() for env in ("dev", "prod"))
    assert (dev.database.host, prod.database.host) == ("localhost", "db.prod")
    assert (dev.names.connector, prod.names.connector) == ("shop-outbox", "shop-prod")
    assert prod.connect.config == {"poll.interval.ms": "5", "max.batch.size": "10"}
    assert dev.events == prod.events and prod.database.dialect == "postgres"


def test_a_list_of_an_overlay_replaces_the_list(tmp_path: Path) -> None:
    (tmp_path / "outbox.yaml").write_text(
        BASE.replace("host: localhost", "writers: [a, b]")
        + "environments: {prod: {database: {writers: [c]}, routing: {topic: 'prod.{aggregate}'}}}\n"
    )
    prod = read(tmp_path / "outbox.yaml", "prod").outbox()
    assert list(prod.database.writers) == ["c"] and prod.routing.topic == "prod.{aggregate}"


def test_a_file_with_environments_needs_one(file: Path) -> None:
    with pytest.raises(UnknownName) as error:
        read(file)
    assert error.value.what == "the file defines 2 environments" and "--env dev | prod" in error.value.fix


def test_an_unknown_environment_is_answered_with_the_known_ones(file: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="'pord' not found; did you mean 'prod'") as error:
        read(file, "pord")
    assert "--env dev | prod" in error.value.fix
    (plain := tmp_path / "plain.yaml").write_text(BASE)
    with pytest.raises(UnknownName) as error:
        read(plain, "prod")
    assert "leave out --env" in error.value.fix
    assert read(plain, "prod", lenient=True).outbox().service == "shop"


@pytest.mark.parametrize(
    ("overlay", "line", "problem"),
    [
        ("events: []", 9, "an environment cannot change 'events'"),
        ("service: other", 9, "an environment cannot change 'service'"),
        ("table: {name: other}", 9, "an environment cannot change 'table'"),
        ("routing: {key: id}", 9, "an environment cannot change 'routing.key'"),
        ("routing: [1]", 9, "an environment cannot change 'routing'"),
        ("database: {hots: x}", 9, "unknown key 'hots'; did you mean 'host'?"),
        ("connect: {heartbeat_ms: soon}", 9, "heartbeat_ms"),
        ("connect: 5", 9, "connect"),
        ("- a", 8, "expected a map of the sections"),
    ],
)
def test_a_mistake_of_an_overlay_has_the_line_of_the_overlay(file: Path, overlay: str, line: int, problem: str) -> None:
    file.write_text(f"{BASE}environments:\n  prod:\n    {overlay}\n")
    (found,) = details(file)
    assert found.startswith(f"outbox.yaml:{line}:") and problem in found


def test_a_mistake_of_the_document_keeps_its_own_line(file: Path) -> None:
    file.write_text(BASE.replace("host: localhost", "hots: x") + INLINE)
    (found,) = details(file)
    assert found.startswith("outbox.yaml:2:31") and "hots" in found


@pytest.mark.parametrize("written", ["[prod]", "prod", "{}", "{Prod: {}}", "{'a b': {}}"])
def test_environments_that_are_no_map_of_names_are_refused(file: Path, written: str) -> None:
    file.write_text(f"{BASE}environments: {written}\n")
    assert "invalid environment" in " ".join(details(file, None))


def test_a_file_beside_the_schema_file_is_an_environment(file: Path, tmp_path: Path) -> None:
    file.write_text(BASE)
    (tmp_path / "outbox.prod.yaml").write_text("database: {host: db.prod}\n")
    assert read(file, "prod").outbox().database.host == "db.prod"
    assert read(file).outbox().database.host == "localhost"
    (tmp_path / "outbox.prod.yaml").write_text("database:\n  hots: x\n")
    assert details(file) == ["outbox.prod.yaml:2:3: unknown key 'hots'; did you mean 'host'?"]
    file.write_text(BASE + INLINE)
    with pytest.raises(BadSchemaFile, match=r"is defined in '.*outbox.yaml' and in '.*outbox.prod.yaml'"):
        read(file, "prod")


@pytest.mark.parametrize("overlay", ["connect: {connector: a}\n", "database: {host: a}\n", "service: shop\nlint: {}\n"])
@pytest.mark.parametrize("command", [("check",), ("preview",), ("gen-ddl",), ("plan",), ("check", "--explain")])
def test_an_overlay_in_place_of_a_schema_file_is_refused_with_the_right_command(
    file: Path, command: tuple[str, ...], overlay: str
) -> None:
    file.write_text(BASE)
    (beside := file.with_name("outbox.prod.yaml")).write_text(overlay)
    result = invoke(*command, str(beside), code=2)
    assert f"'{beside}' is the overlay of environment 'prod'" in result.stderr
    assert f"outbox-kit check {file} --env prod" in result.stderr
    invoke("check", str(file), "--env", "prod")


def test_an_overlay_without_its_schema_file_names_the_file(tmp_path: Path) -> None:
    (alone := tmp_path / "outbox.prod.yaml").write_text("connect: {connector: a}\n")
    assert f"its schema file '{tmp_path / 'outbox.yaml'}' does not exist" in invoke("check", str(alone), code=2).stderr


@pytest.mark.parametrize(("name", "text"), [("shop.v1.yaml", BASE), ("shop.eu.json", '{"connector.class": "x"}')])
def test_other_files_that_are_named_like_an_overlay_are_read(file: Path, name: str, text: str) -> None:
    file.rename(file.with_name(f"shop{Path(name).suffix}"))
    (other := file.with_name(name)).write_text(text)
    assert "overlay" not in invoke("check", str(other), code=None).output


def test_overlays_of_several_outboxes_name_their_service(file: Path, tmp_path: Path) -> None:
    file.write_text(f"{BASE}---\n{BASE.replace('shop', 'billing')}")
    (tmp_path / "outbox.prod.yaml").write_text("service: billing\ndatabase: {host: db.prod}\n")
    assert [outbox.database.host for outbox in read(file, "prod").outboxes] == ["localhost", "db.prod"]
    for written, problem in (("database: {}\n", "without a service"), ("service: shap\n", "'shap'")):
        (tmp_path / "outbox.prod.yaml").write_text(written)
        with pytest.raises(BadSchemaFile, match=problem) as error:
            read(file, "prod")
        assert "service: shop | billing" in error.value.fix


def test_two_outboxes_whose_names_an_overlay_makes_equal_are_refused(file: Path) -> None:
    overlay = "environments: {prod: {connect: {connector: same}}}\n"
    file.write_text(f"{BASE}{overlay}---\n{BASE.replace('shop', 'billing')}{overlay}")
    (found,) = details(file)
    assert found.startswith("outbox.yaml:15:") and "first at" in found and ":7:" in found


def test_each_setting_says_where_it_is_from(file: Path) -> None:
    schema = read(file, "prod")
    sources = {each.path: each.source for each in settings(schema.outbox(), schema.layers[0])}
    assert sources["database.host"] is sources["connect.config.poll.interval.ms"] is SettingSource.environment
    assert sources["database.dialect"] is sources["connect.config.max.batch.size"] is SettingSource.file
    assert sources["table.name"] is SettingSource.default


def test_config_prints_the_effective_settings_without_secrets(file: Path) -> None:
    file.write_text(file.read_text().replace("poll.interval.ms: 5}", "database.password: hunter2hunter}"))
    text = invoke("config", "--env", "prod", str(file)).stdout
    assert 'database.host = "db.prod"  (environment)' in text and "hunter2" not in text
    document = json.loads(invoke("config", "--env", "prod", "--format", "json", str(file)).stdout)
    assert document["environment"] == "prod" and "hunter2" not in json.dumps(document)
    invoke("gen-connector", str(file), code=2)
    assert "shop-prod" in invoke("gen-connector", str(file), environment={"OUTBOX_KIT_ENV": "prod"}).stdout


def test_the_schema_for_editors_has_environments() -> None:
    described = jsonschema()["properties"]["environments"]["additionalProperties"]
    assert {"database", "connect"} <= described["properties"].keys() and "events" not in described["properties"]
