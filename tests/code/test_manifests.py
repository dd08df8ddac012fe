"""The manifests and pipelines of the documentation, checked against the schemas of what they are for.

Kubernetes' schemas and those of GitHub's and GitLab's files come with packages, Strimzi's from its own classes. A
pipeline of Jenkins is only read: its parser is a part of Jenkins.
"""

import json
import shlex
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import typer.main
from ruamel.yaml import YAML

from outbox_kit.cli import app
from tests.support import pages, strimzi
from tests.support.cli import invoke

KUBERNETES = "1.33"
SCHEMAS = files("check_jsonschema") / "builtin_schemas" / "vendor"
DOCS = pages.ROOT / "docs"


def documents(page: Path) -> Iterator[Any]:
    """The documents of the YAML blocks of a page, without schema files."""
    for block in pages.blocks(page):
        if block.language == "yaml" and block.task != "file":
            yield from YAML(typ="safe", pure=True).load_all(block.text)


MANIFESTS = [document for document in documents(DOCS / "kubernetes.md") if "apiVersion" in document]
PIPELINES = list(documents(DOCS / "ci.md"))
WORKFLOWS = [document for document in PIPELINES if "on" in document]
GITLAB = [document for document in PIPELINES if "stages" in document]


def validate(manifest: Any) -> None:
    """Raises ValidationError."""
    if manifest["apiVersion"].startswith("kafka.strimzi.io/"):
        jsonschema.validate(manifest, strimzi.schema(manifest["kind"]), jsonschema.Draft202012Validator)
    else:
        kubernetes_validate.validate(manifest, KUBERNETES, strict=True)


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: manifest["kind"])
def test_a_manifest_is_accepted_and_one_with_an_unknown_field_is_not(manifest: Any) -> None:
    validate(manifest)
    with pytest.raises((jsonschema.ValidationError, kubernetes_validate.ValidationError)):
        validate(manifest | {"replica": 1})
    if "spec" in manifest:
        with pytest.raises((jsonschema.ValidationError, kubernetes_validate.ValidationError)):
            validate(manifest | {"spec": manifest["spec"] | {"replica": 1}})


def test_the_page_of_kubernetes_has_what_a_deployment_needs() -> None:
    kinds = [manifest["kind"] for manifest in MANIFESTS]
    assert {"KafkaConnect", "Job", "CronJob", "Role", "RoleBinding", "ServiceAccount"} == set(kinds)


def containers(manifest: Any) -> Iterator[Any]:
    """The containers of a Job or of a CronJob's."""
    specification = manifest["spec"].get("jobTemplate", manifest)["spec"]["template"]["spec"]
    yield from [*specification.get("initContainers", []), *specification["containers"]]


def test_the_jobs_run_commands_that_exist_with_volumes_that_exist() -> None:
    for manifest in MANIFESTS:
        if manifest["kind"] not in ("Job", "CronJob"):
            continue
        specification = manifest["spec"].get("jobTemplate", manifest)["spec"]["template"]["spec"]
        volumes = {volume["name"] for volume in specification["volumes"]}
        for container in containers(manifest):
            assert {mount["name"] for mount in container["volumeMounts"]} <= volumes
            if "outbox-kit" in container["image"]:
                name, *arguments = container["args"]
                typer.main.get_command(app).commands[name].make_context(name, arguments)  # type: ignore[attr-defined]


def test_the_job_s_connector_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The schema file of the page, and the resource that the page shows as its command's output."""
    (schema,) = (block for block in pages.blocks(DOCS / "kubernetes.md") if block.value == "outbox.yaml")
    monkeypatch.chdir(tmp_path)
    Path("outbox.yaml").write_text(schema.text)
    (shown,) = (block for block in pages.blocks(DOCS / "kubernetes.md") if block.task == "run")
    (typed,) = pages.typed(shown)
    printed = invoke(*shlex.split(typed.command)[1:]).stdout
    resource = YAML(typ="safe", pure=True).load(printed)
    validate(resource)
    (connect,) = (manifest for manifest in MANIFESTS if manifest["kind"] == "KafkaConnect")
    assert resource["metadata"]["labels"]["strimzi.io/cluster"] == connect["metadata"]["name"]
    assert resource["spec"]["config"]["database.password"] == "${secrets:shop/shop-outbox:password}"
    Path("kafkaconnector.yaml").write_text(printed)
    invoke("check", "kafkaconnector.yaml")


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow["name"])
def test_github_s_schema_accepts_the_workflows(workflow: Any) -> None:
    schema = json.loads((SCHEMAS / "github-workflows.json").read_text())
    jsonschema.validate(workflow, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(workflow | {"job": {}}, schema)


def test_gitlab_s_schema_accepts_the_pipeline() -> None:
    (pipeline,) = GITLAB
    schema = json.loads((SCHEMAS / "gitlab-ci.json").read_text())
    jsonschema.validate(pipeline, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(pipeline | {"deploy": pipeline["deploy"] | {"script": 1}}, schema)
