"""Rules about the resources of Strimzi and Kubernetes that a file has beside a connector."""

import re
from collections.abc import Iterator

from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import placeholders
from outbox_kit.lint.mentions import documents
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.lint.tree import CLUSTER
from outbox_kit.versions import Version

CLASS = "connector.class"
KIND = lazy_pattern(r"^kind:[ \t]*(?P<kind>\w+)[ \t]*$", re.MULTILINE)
NAME = lazy_pattern(
    r"^metadata:[ \t]*(?:\{[^}\n]*?\bname:[ \t]*|\n(?:[ \t].*\n)*?[ \t]+name:[ \t]*)[\"']?(?P<name>[\w.-]+)",
    re.MULTILINE,
)
ACCOUNT = lazy_pattern(r"\bkind:[ \t]*ServiceAccount\b[\s,]*name:[ \t]*[\"']?(?P<name>[\w.-]+)")
HISTORY_TOPIC = "schema.history.internal.kafka.topic"
OF_SECRETS = lazy_pattern(r"\$\{\w+:[\w.-]+/[\w.-]+:[^{}]+\}")
PROVIDER = "io.strimzi.kafka.KubernetesSecretConfigProvider"
KUBERNETES_NAME = lazy_pattern(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*")
GRANTED = lazy_pattern(
    r"\btype:[ \t]*topic\b[\s,]*(?:name:[ \t]*[\"']?(?P<name>[^\s\"',}]+)[\"']?[\s,]*)?"
    r"(?:patternType:[ \t]*(?P<pattern>\w+))?(?:[\s,]*name:[ \t]*[\"']?(?P<later>[^\s\"',}]+))?"
)
"""A right to topics in a resource KafkaUser."""


HAS_PLUGINS = lazy_pattern(r"\b(?:image|build|plugins|volumes)[\"']?:")


def _resources(text: str, kind: str) -> dict[str, str]:
    """The resources of a kind in a text, by their names."""
    resources = dict[str, str]()
    for part in documents(text):
        kinds, name = KIND.findall(part), NAME.search(part)
        if kinds == [kind]:
            resources[name["name"] if name else ""] = part
    return resources


@rule(
    "strimzi-cluster-missing",
    Consequence.risk,
    evidence="N10",
    fix="set metadata.labels.strimzi.io/cluster to the KafkaConnect resource",
)
def strimzi_cluster_missing(subject: Subject) -> Iterator[Violation]:
    """A resource of Strimzi names the cluster of Kafka Connect that runs the connector.

    Without the label the operator ignores the resource: no connector is created. Another tool may add the label.
    """
    applied = not subject.is_of_page or "kubectl" in subject.text
    if subject.document.cluster == "" and not subject.document.partial and applied:
        yield Violation(CLASS, f"the label '{CLUSTER}' is missing", unset=CLUSTER)


@rule("strimzi-not-running", Consequence.stop, evidence="N10", fix="set spec.state to running, or remove it")
def strimzi_not_running(subject: Subject) -> Iterator[Violation]:
    """A resource of Strimzi lets the connector run.

    A paused or stopped connector publishes nothing, and its slot keeps the WAL.
    """
    if subject.document.state and subject.document.state.lower() in ("paused", "stopped"):
        yield Violation(CLASS, f"the resource demands the state {subject.document.state}")


FORMER_VERSION = lazy_pattern(r"^apiVersion:[ \t]*[\"']?(kafka\.strimzi\.io/v1(?:alpha|beta)1)\b", re.MULTILINE)
LAST_OF_FORMER_VERSION = Version.of("1.5")
"""The release of Debezium when Strimzi dropped them."""


@rule(
    "strimzi-version-not-served",
    Consequence.stop,
    severity=Severity.warning,
    of_names=True,
    evidence="O",
    fix="write apiVersion: kafka.strimzi.io/v1beta2, or v1 since Strimzi 0.49",
)
def strimzi_version_not_served(subject: Subject) -> Iterator[Violation]:
    """The version of a resource is one that Strimzi serves.

    Strimzi 0.23 has dropped `v1alpha1` and `v1beta1`: Kubernetes refuses the resource.
    """
    version = FORMER_VERSION.search(subject.text)
    if version and subject.document.state is not None and subject.release > LAST_OF_FORMER_VERSION:
        yield Violation(CLASS, f"current releases of Strimzi do not serve '{version[1]}'")


@rule("invalid-resource-name", Consequence.stop, evidence="N10", fix="use a-z 0-9 - and dots only")
def invalid_resource_name(subject: Subject) -> Iterator[Violation]:
    """The name of a resource of Strimzi is one that Kubernetes accepts."""
    name = subject.document.name or ""
    is_shown = subject.document.state is not None and name and not placeholders.is_open("name", name)
    if is_shown and not KUBERNETES_NAME.fullmatch(name):
        yield Violation(CLASS, f"invalid name of a resource '{name}'")


@rule("strimzi-option-ignored", Consequence.advice, evidence="N10", fix="set spec.class and spec.tasksMax instead")
def strimzi_option_ignored(subject: Subject) -> Iterator[Violation]:
    """The class and the number of tasks stand in the spec of a resource of Strimzi, not in its config.

    Strimzi takes them from the spec, and ignores them in the config.
    """
    for key in subject.document.ignored:
        yield Violation(key, f"Strimzi ignores '{key}' in spec.config")


@rule(
    "strimzi-cluster-unknown",
    Consequence.stop,
    of_names=True,
    evidence="N10",
    fix="write the name of the KafkaConnect resource",
)
def strimzi_cluster_unknown(subject: Subject) -> Iterator[Violation]:
    """The label of a resource of Strimzi names the KafkaConnect that the file has.

    It is not the name of the Kafka cluster. The operator creates no connector for a cluster that does not exist.
    """
    cluster, workers = subject.document.cluster, _resources(subject.text, "KafkaConnect")
    if not cluster or not workers or "" in workers or placeholders.is_open(CLUSTER, cluster):
        return
    if cluster not in workers:
        yield Violation(CLASS, f"the label '{CLUSTER}' is '{cluster}', and the KafkaConnect is '{min(workers)}'")


@rule(
    "worker-without-plugin",
    Consequence.stop,
    severity=Severity.warning,
    of_names=True,
    evidence="O",
    fix="name the plugins in spec.build of the KafkaConnect, or an image that has them in spec.image",
)
def worker_without_plugin(subject: Subject) -> Iterator[Violation]:
    """The KafkaConnect that the file has runs an image with the connector.

    Without `image`, `build` and `plugins` in its spec it runs Strimzi's own, which has the connectors of Kafka alone:
    the class is not found.
    """
    workers = _resources(subject.text, "KafkaConnect")
    worker = workers.get(subject.document.cluster or "")
    is_of_kafka = subject.config.get(CLASS, "").startswith(("org.apache.kafka.", "FileStream", "$"))
    if worker is None or subject.is_of_page or is_of_kafka or "{{" in worker or "${" in worker:
        return
    if not HAS_PLUGINS.search(worker):
        yield Violation(CLASS, "the KafkaConnect in the file has neither image nor build, and so no plugins")


@rule(
    "secret-not-readable",
    Consequence.stop,
    of_names=True,
    evidence="N08",
    fix="bind the role to the service account <KafkaConnect>-connect",
)
def secret_not_readable(subject: Subject) -> Iterator[Violation]:
    """The workers of Strimzi may read the secrets that the connector refers to, if the file has the right.

    They run under the account `<name of the KafkaConnect>-connect`: another account's right is not theirs.
    """
    workers, bindings = _resources(subject.text, "KafkaConnect"), _resources(subject.text, "RoleBinding")
    accounts = {match["name"] for part in bindings.values() for match in ACCOUNT.finditer(part)}
    if PROVIDER not in subject.text or not accounts or len(workers) != 1 or "" in workers:
        return
    account = f"{min(workers)}-connect"
    for key, value in subject.config.items():
        if OF_SECRETS.search(value) and account not in accounts:
            yield Violation(key, f"the workers run as '{account}', and the file gives the right to '{min(accounts)}'")
            return


@rule(
    "topic-not-granted",
    Consequence.stop,
    of_names=True,
    evidence="N20",
    fix="add the topic to the rights of the KafkaUser",
)
def topic_not_granted(subject: Subject) -> Iterator[Violation]:
    """The user of the workers may use the connector's topics, if the file has the user's rights.

    The brokers refuse another topic: the connector fails.
    """
    users = _resources(subject.text, "KafkaUser")
    rights = [match for part in users.values() for match in GRANTED.finditer(part)] if len(users) == 1 else []
    if not rights or "type: simple" not in subject.text:
        return
    for key in (HISTORY_TOPIC, "topic.prefix") if not subject.steps else (HISTORY_TOPIC,):
        name = subject.config.get(key, "")
        topic = f"{name}." if key != HISTORY_TOPIC else name
        if name and subject.says(key, "transforms") and not any(_covers(right, topic) for right in rights):
            yield Violation(key, f"the KafkaUser in the file has no right to the topic '{name}'")


def _covers(right: re.Match[str], topic: str) -> bool:
    """Whether a right is one to a topic. topic: its name, or with a dot at its end what the names begin with."""
    name = right["name"] or right["later"] or "*"
    if (right["pattern"] or "").lower().startswith("prefix") and topic.startswith(name):
        return True
    return name in ("*", topic) or (topic.endswith(".") and name.startswith(topic))
