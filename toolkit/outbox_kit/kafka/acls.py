"""The ACLs of one Kafka principal, and what they allow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    ResourcePatternType,
    ResourceType,
)

from outbox_kit import deadline
from outbox_kit.kafka.admin import Admin
from outbox_kit.kafka.read import REQUEST_SECONDS, Cluster

EVERYONE = "User:*"
ALL = "ALL"
CLUSTER = "kafka-cluster"


@dataclass(frozen=True, order=True)
class Resource:
    """Something that a principal needs a right for."""

    kind: str
    """TOPIC, GROUP, TRANSACTIONAL_ID or BROKER, which is the cluster: the client's names."""
    name: str
    """The exact name."""


@dataclass(frozen=True)
class AclEntry:
    """One ACL that applies to the principal. One for a single host counts as one for all."""

    resource: Resource
    prefixed: bool
    """Whether the resource's name is a prefix."""
    operation: str
    """In capitals, as WRITE."""
    allows: bool
    """False for one that denies."""

    def applies(self, resource: Resource, operation: str) -> bool:
        """Whether it is about an operation on a resource."""
        name = self.resource.name
        matches = resource.name.startswith(name) if self.prefixed else name in (resource.name, "*")
        return self.resource.kind == resource.kind and matches and self.operation in (operation, ALL)


def read(cluster: Cluster, principal: str) -> list[AclEntry] | None:
    """The ACLs of a principal and of everyone; None if the brokers have no authorizer, so that all is allowed.

    principal: as User:connect. Raises KafkaUnreachable, KafkaRefused.
    """
    entries: list[AclEntry] = []
    with cluster.client(Admin) as admin:
        for name in (principal, EVERYONE):
            every = AclBindingFilter(
                ResourceType.ANY,
                None,  # type: ignore[arg-type]
                ResourcePatternType.ANY,
                name,
                None,  # type: ignore[arg-type]
                AclOperation.ANY,
                AclPermissionType.ANY,
            )
            try:
                bindings = admin.describe_acls(every, request_timeout=deadline.allowed(REQUEST_SECONDS)).result()
            except KafkaException as cause:
                if cause.args[0].code() == KafkaError.SECURITY_DISABLED:
                    return None
                raise
            entries += [
                AclEntry(
                    Resource(binding.restype.name, binding.name),
                    binding.resource_pattern_type is ResourcePatternType.PREFIXED,
                    binding.operation.name,
                    binding.permission_type is AclPermissionType.ALLOW,
                )
                for binding in bindings
            ]
    return entries


def lacking(entries: Sequence[AclEntry], resource: Resource, operations: Iterable[str]) -> list[str]:
    """The operations on a resource that no ACL allows, or one denies. CREATE on the cluster is one on all topics."""
    return [operation for operation in operations if not _is_allowed(entries, resource, operation)]


def _is_allowed(entries: Sequence[AclEntry], resource: Resource, operation: str) -> bool:
    resources = [resource]
    if operation == "CREATE" and resource.kind == "TOPIC":
        resources.append(Resource("BROKER", CLUSTER))
    applying = [entry for entry in entries for each in resources if entry.applies(each, operation)]
    return bool(applying) and all(entry.allows for entry in applying)
