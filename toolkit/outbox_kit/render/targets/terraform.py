"""Terraform's resource of the provider Mongey/kafka-connect, for a self-managed Kafka Connect. Pure.

A reference that the worker resolves stays one, so that neither the file nor Terraform's state has the secret. A secret
that the schema file spells out becomes a sensitive variable.
"""

from outbox_kit import secret
from outbox_kit.render import hcl
from outbox_kit.render.deployed import DeployedConnector, variable
from outbox_kit.router import options


def document(connector: DeployedConnector) -> str:
    """The variables and the resource."""
    config = connector.config
    sensitive = [name for name, value in config.items() if value and options.holds_secret(config, name)]
    literal = {name: variable(name, config[name]).lower() for name in sensitive if not secret.refers(config[name])}
    values: dict[str, str | hcl.Expression] = {
        name: hcl.Expression(f"var.{literal[name]}") if name in literal else config[name] for name in sensitive
    }
    plain = {"name": connector.name} | {name: value for name, value in config.items() if name not in sensitive}
    lines = []
    for name, of_value in literal.items():
        lines += [*hcl.variable_block(of_value, f"{name} of the connector {connector.name}", sensitive=True), ""]
    lines += [
        f'resource "kafka-connect_connector" "{hcl.identifier(connector.name)}" {{',
        f"  name = {hcl.quoted(connector.name)}",
        "",
        *hcl.string_map("config", plain),
        "",
        *hcl.string_map("config_sensitive", values),
        "}",
    ]
    return "\n".join(lines) + "\n"
