"""The manifest, its lock and the containers' file name the same versions."""

import re

import pytest
from ruamel.yaml import YAML

from outbox_kit.assets import COMPOSE
from outbox_kit.stack.manifest import locked, manifest


@pytest.fixture(scope="module")
def compose() -> dict:
    return YAML(typ="safe").load((COMPOSE / "compose.yaml").read_text(encoding="utf-8"))


def test_every_artifact_that_the_manifest_names_is_locked_in_that_version() -> None:
    wanted = {name for group in manifest().classpath for name in group} | set(manifest().plugins)
    held = {f"{artifact.group}:{artifact.name}:{artifact.version}" for artifact in locked()}
    assert wanted <= held


def test_no_artifact_is_locked_twice() -> None:
    names = [artifact.name for artifact in locked()]
    assert len(names) == len(set(names))


def test_all_of_kafka_is_of_one_version() -> None:
    versions = {artifact.version for artifact in locked() if artifact.group == "org.apache.kafka"}
    assert versions == {manifest().kafka}


def test_every_locked_file_has_a_size_and_a_checksum() -> None:
    assert all(artifact.size > 0 and re.fullmatch(r"[0-9a-f]{64}", artifact.sha256) for artifact in locked())


def test_the_containers_are_of_the_manifests_versions(compose: dict) -> None:
    tags = {name: service["image"].rpartition(":")[2] for name, service in compose["services"].items()}
    assert tags == {"postgres": manifest().postgres, "kafka": manifest().kafka, "connect": manifest().debezium}


def test_the_containers_are_the_services_that_run_as_processes(compose: dict) -> None:
    from outbox_kit.stack.services import SERVICES

    assert set(compose["services"]) == set(SERVICES)


def test_the_containers_are_published_on_loopback_only(compose: dict) -> None:
    ports = [port for service in compose["services"].values() for port in service["ports"]]
    assert len(ports) == 3
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_every_container_says_when_it_is_healthy(compose: dict) -> None:
    assert all("test" in service["healthcheck"] for service in compose["services"].values())


def test_the_containers_file_holds_no_password(compose: dict) -> None:
    values = {
        name: value
        for service in compose["services"].values()
        for name, value in service["environment"].items()
        if name.endswith("_PASSWORD")
    }
    assert set(values) == {"POSTGRES_PASSWORD", "OUTBOX_DB_PASSWORD"}
    assert all(value.startswith("${" + name + ":?") for name, value in values.items())
