"""The client of Kafka's admin API, whose calls an interruption does not cut."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from confluent_kafka.admin import AdminClient

from outbox_kit.signals import deferred

CALLS = (
    "create_partitions",
    "create_topics",
    "delete_topics",
    "describe_acls",
    "describe_cluster",
    "describe_configs",
    "describe_topics",
    "incremental_alter_configs",
    "list_offsets",
)
"""They return at once with futures; a wait for a future can be interrupted."""


class Admin(AdminClient):
    """As confluent-kafka's, with `CALLS` that an interruption does not cut.

    The code of confluent-kafka that builds a request ignores an exception of a signal handler: the call ends with
    another error, or the process does.
    """


def _whole(call: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(call)
    def complete(*arguments: Any, **options: Any) -> Any:
        with deferred():
            return call(*arguments, **options)

    return complete


for _name in CALLS:
    setattr(Admin, _name, _whole(getattr(AdminClient, _name)))
