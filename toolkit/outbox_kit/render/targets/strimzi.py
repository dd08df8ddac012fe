"""Strimzi's resource KafkaConnector, as YAML. Pure.

The resource names class and tasks itself: in its config the operator refuses or overwrites them. A connector's name is
the resource's name, so it has to be one that Kubernetes takes.
"""

import json
import re

from outbox_kit.errors import UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.render.deployed import DeployedConnector

API_VERSION = "kafka.strimzi.io/v1"
IN_SPECIFICATION = ("connector.class", "tasks.max", "name")
RESOURCE_NAME = lazy_pattern(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")
UNPRINTABLE = lazy_pattern(r"[\x7f-\x9f\ufeff\ufffe\uffff]|[\ud800-\udfff]")


def document(connector: DeployedConnector) -> str:
    """The resource. Raises UsageProblem if Kubernetes refuses a name."""
    config = connector.by_reference
    lines = [
        f"apiVersion: {API_VERSION}",
        "kind: KafkaConnector",
        "metadata:",
        f"  name: {_quoted(_resource('connector', connector.name))}",
        "  labels:",
        f"    strimzi.io/cluster: {_quoted(_resource('Kafka Connect cluster', connector.connect_cluster))}",
        "spec:",
        f"  class: {config['connector.class']}",
        f"  tasksMax: {config['tasks.max']}",
        "  config:",
        *(f"    {_key(name)}: {_quoted(value)}" for name, value in config.items() if name not in IN_SPECIFICATION),
    ]
    return "\n".join(lines) + "\n"


def _resource(kind: str, name: str) -> str:
    if RESOURCE_NAME.fullmatch(name):
        return name
    raise UsageProblem(
        f"invalid {kind} name '{name}': expected a name of a Kubernetes resource: a-z, 0-9, '-' and '.'",
        fix="set connect.name in the schema file" if kind == "connector" else "name another one with --connect-cluster",
    )


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z][\w.-]*", name) else _quoted(name)


def _quoted(text: str) -> str:
    """A text in YAML's double quotes, which are JSON's but for some characters."""
    quoted = json.dumps(text, ensure_ascii=False)
    return UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)
