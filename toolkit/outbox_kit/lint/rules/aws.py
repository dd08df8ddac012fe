"""Rules about the resources of AWS that a Terraform file has beside a connector."""

import re
from collections.abc import Iterator

from outbox_kit.databases.mariadb.facts import MARIADB
from outbox_kit.databases.mysql.facts import MYSQL
from outbox_kit.databases.postgres.facts import POSTGRES
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.mentions import closing, terraform_resources
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject

CLASS = "connector.class"
NEEDED = {
    POSTGRES.name: "rds.logical_replication",
    MYSQL.name: "binlog_format",
    MARIADB.name: "binlog_format",
}
"""The parameter of RDS without which there is no log to read."""
GROUP_USED = lazy_pattern(r"\b(?:db_cluster_|db_)?parameter_group_name\s*=")
NO_BACKUPS = lazy_pattern(r"\bbackup_retention_period\s*=\s*0\b")
ENGINE = lazy_pattern(r"\bengine\s*=\s*\"(?P<engine>\w+)")
TARBALL = lazy_pattern(r"\b(?:file_key|key|source)\s*=\s*\"[^\"\n]*\.(?:tar\.gz|tgz)\"")
CLUSTER = lazy_pattern(r"\bapache_kafka_cluster\s*\{")
VPC = lazy_pattern(r"\bvpc\b")


def _resources(text: str, kind: str) -> dict[str, str]:
    """The texts of the resources of a kind, by their names."""
    return {name: block for (other, name), block in terraform_resources(text).items() if other == kind}


@rule(
    "parameter-group-not-used",
    Consequence.stop,
    of_names=True,
    evidence="I01",
    fix="set parameter_group_name of the database, and reboot it",
)
def parameter_group_not_used(subject: Subject) -> Iterator[Violation]:
    """The database of RDS has the parameters that the file sets for it.

    Without the name of its group it has the default ones, which switch logical replication off.
    """
    text, needed = subject.text, NEEDED.get(subject.connector or "", "")
    for group, database in (
        ("aws_db_parameter_group", "aws_db_instance"),
        ("aws_rds_cluster_parameter_group", "aws_rds_cluster"),
    ):
        sets = any(needed in block for block in _resources(text, group).values()) if needed else False
        databases = _resources(text, database)
        if sets and databases and not any(GROUP_USED.search(block) for block in databases.values()):
            yield Violation(CLASS, f"no database in the file uses the parameter group with {needed}")
            return


@rule(
    "backups-switched-off",
    Consequence.stop,
    of_names=True,
    evidence="J01",
    connectors=f"{MYSQL.name} {MARIADB.name}",
    fix="set backup_retention_period to 1 or more",
)
def backups_switched_off(subject: Subject) -> Iterator[Violation]:
    """The database of RDS has backups.

    RDS switches the binary log of MySQL and MariaDB off without them, whatever the parameter group says.
    """
    for name, block in _resources(subject.text, "aws_db_instance").items():
        engine = ENGINE.search(block)
        if NO_BACKUPS.search(block) and (engine is None or engine["engine"] in (MYSQL.name, MARIADB.name)):
            yield Violation(CLASS, f"'aws_db_instance.{name}' has backup_retention_period = 0: no binary log")


PLAIN_BROKERS = lazy_pattern(r"\bclient_broker\s*=\s*\"PLAINTEXT\"")
SECURED = lazy_pattern(r"\bbootstrap_brokers_(?:tls|sasl_\w+)\b")


@rule(
    "brokers-without-listener",
    Consequence.stop,
    of_names=True,
    evidence="N20",
    fix="use bootstrap_brokers, or set client_broker to TLS",
)
def brokers_without_listener(subject: Subject) -> Iterator[Violation]:
    """The addresses of the brokers of MSK are those of a listener that they have.

    With client_broker = PLAINTEXT the attribute for TLS is empty: the connector has no addresses.
    """
    clusters = _resources(subject.text, "aws_msk_cluster").values()
    if clusters and all(PLAIN_BROKERS.search(block) for block in clusters) and SECURED.search(subject.text):
        yield Violation(CLASS, "the brokers in the file take plain text alone, and the addresses are those for TLS")


@rule(
    "plugin-archive-not-read",
    Consequence.stop,
    of_names=True,
    evidence="N10",
    fix="upload a ZIP: unpack the archive, and pack it again",
)
def plugin_archive_not_read(subject: Subject) -> Iterator[Violation]:
    """The plugin of MSK Connect is a ZIP or a JAR.

    MSK Connect unpacks no tar.gz: the class of the connector is not found.
    """
    is_plugin = _resources(subject.text, "aws_mskconnect_custom_plugin")
    archive = TARBALL.search(subject.text) if is_plugin else None
    if archive and not re.search(r"\.(?:zip|jar)\"", subject.text):
        yield Violation(CLASS, "the plugin in the file is a tar.gz, which MSK Connect does not unpack")


@rule(
    "network-of-managed-missing",
    Consequence.stop,
    of_names=True,
    evidence="N10",
    fix="add the block vpc with security_groups and subnets",
)
def network_of_managed_missing(subject: Subject) -> Iterator[Violation]:
    """A connector of MSK Connect says in which network it reaches the brokers.

    Terraform refuses the resource without the block vpc.
    """
    for name, block in _resources(subject.text, "aws_mskconnect_connector").items():
        cluster = CLUSTER.search(block)
        if cluster and not VPC.search(block[cluster.end() : closing(block, cluster.end())]):
            yield Violation(CLASS, f"'aws_mskconnect_connector.{name}' has no block vpc in apache_kafka_cluster")
