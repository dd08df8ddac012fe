"""Terraform's resource `confluent_connector` for the managed connector of Confluent Cloud. Pure.

The managed connector has option names and formats of its own, and fewer options. What is written here is in Confluent's
documentation of the connector and of its event router; an option that is not, and that decides what a message is or
which events are sent, is refused. Options of pace, producers and new topics are Confluent's own there and are left out.

Its event router matches with RE2/J: a named group is `(?P<name>...)`, and there are no lookarounds. Its value format is
JSON of the connector, so a payload is expanded and may differ from the row in whitespace and in the form of numbers.
"""

from collections.abc import Mapping

from outbox_kit import databases
from outbox_kit.errors import UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.render import hcl
from outbox_kit.render.deployed import DeployedConnector, variable
from outbox_kit.router import options
from outbox_kit.router.chain import EVENT_ROUTER
from outbox_kit.wire.columns import ROUTER_STEP
from outbox_kit.wire.shape import STRING, Config

KEPT = (
    "tasks.max",
    "database.hostname",
    "database.port",
    "database.user",
    "database.password",
    "database.dbname",
    "database.sslmode",
    "topic.prefix",
    "slot.name",
    "publication.name",
    "publication.autocreate.mode",
    "table.include.list",
    "column.exclude.list",
    "snapshot.mode",
    "tombstones.on.delete",
    "heartbeat.interval.ms",
    "heartbeat.action.query",
    "transforms",
    "transforms.",
    "predicates",
    "predicates.",
)
LEFT_OUT = (
    "connector.class",
    "plugin.name",
    "slot.failover",
    "snapshot.select.statement.overrides",
    "provide.transaction.metadata",
    "extended.headers.enabled",
    "topic.heartbeat.prefix",
    "key.converter",
    "value.converter",
    "header.converter",
    "errors.tolerance",
    "poll.interval.ms",
    "max.",
    "producer.override.",
    "topic.creation.",
)
"""Options whose value is the connector's own there, or that only pace it."""
ROUTER = f"transforms.{ROUTER_STEP}."
ELSEWHERE = "deploy the connector to a Kafka Connect of your own: --target rest, strimzi or msk-connect"
NULLS = "optional_bytes"  # null members are kept
REGEX = f"{ROUTER}route.topic.regex"
NOT_IN_RE2 = lazy_pattern(r"\(\?(?:[=!]|<[=!]|>)|\\\d|[*+?}]\+")
NAMED_GROUP = lazy_pattern(r"\(\?<(?![=!])")
OF_ACCOUNT = {
    "environment_id": "The environment in Confluent Cloud, such as env-abc123",
    "kafka_cluster_id": "The Kafka cluster, such as lkc-abc123",
    "service_account_id": "The service account that the connector writes as, such as sa-abc123",
}


def document(connector: DeployedConnector) -> str:
    """The variables and the resource. Raises UsageProblem if the managed connector cannot send these events."""
    config = _managed(connector)
    secrets = {name: variable(name, value).lower() for name, value in config.items() if _is_secret(connector, name)}
    lines: list[str] = []
    for name, description in OF_ACCOUNT.items():
        lines += [*hcl.variable_block(name, description), ""]
    for name, of_value in secrets.items():
        lines += [*hcl.variable_block(of_value, f"{name} of the connector {connector.name}", sensitive=True), ""]
    plain: dict[str, str | hcl.Expression] = {
        "name": connector.name,
        "kafka.auth.mode": "SERVICE_ACCOUNT",
        "kafka.service.account.id": hcl.Expression("var.service_account_id"),
    }
    plain |= {name: value for name, value in config.items() if name not in secrets}
    lines += [
        f'resource "confluent_connector" "{hcl.identifier(connector.name)}" {{',
        "  environment {",
        "    id = var.environment_id",
        "  }",
        "  kafka_cluster {",
        "    id = var.kafka_cluster_id",
        "  }",
        "",
        *hcl.string_map("config_nonsensitive", plain),
        "",
        *hcl.string_map("config_sensitive", {name: hcl.Expression(f"var.{secrets[name]}") for name in secrets}),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _managed(connector: DeployedConnector) -> Config:
    """The options of the managed connector. Raises UsageProblem."""
    config, managed = connector.config, _class(connector.config)
    _refuse_unsupported(connector)
    expanded = {f"{ROUTER}table.expand.json.payload": "true", f"{ROUTER}table.json.payload.null.behavior": NULLS}
    written = {name: value for name, value in config.items() if name.startswith(KEPT)} | expanded
    return {
        "connector.class": managed,
        **written,
        REGEX: NAMED_GROUP.sub("(?P<", config[REGEX]),
        "after.state.only": "false",
        "output.key.format": "STRING",
        "output.data.format": "JSON",
    }


def _class(config: Mapping[str, str]) -> str:
    name = options.connectors().get(config["connector.class"], "")
    managed = databases.get(name).capture.managed_class if name else ""
    if not managed:
        supported = ", ".join(d.title for d in databases.ALL.values() if d.capture.managed_class)
        raise UsageProblem(
            f"--target confluent-cloud supports {supported} only",
            fix=ELSEWHERE,
        )
    return managed


def _refuse_unsupported(connector: DeployedConnector) -> None:
    """Raises UsageProblem for what the managed connector does not have, or what its documentation leaves open."""
    config = connector.config
    problems = [
        f"the option '{name}' is not in the documentation of the managed connector"
        for name in config
        if not name.startswith((*KEPT, *LEFT_OUT))
    ]
    for step in filter(None, config["transforms"].split(",")):
        kind = config.get(f"transforms.{step}.type", "")
        if kind != EVENT_ROUTER:
            problems.append(f"the transformation '{step}' ({kind}) is not documented for this connector")
    if not connector.json_payloads or config["key.converter"] != STRING:
        problems.append("its formats are JSON, and STRING for keys: it sends other payloads as texts in JSON")
    if NOT_IN_RE2.search(config[REGEX]):
        problems.append(f"the pattern '{config[REGEX]}' has a part that RE2/J does not support")
    if problems:
        raise UsageProblem(
            "the managed connector of Confluent Cloud cannot send these events",
            why="; ".join(problems),
            fix=f"change the schema file, or {ELSEWHERE}",
        )


def _is_secret(connector: DeployedConnector, name: str) -> bool:
    return options.holds_secret(connector.config, name)
