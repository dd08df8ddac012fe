"""Configs for databases that are not here, before the real Kafka Connect: it misses nothing in them but the server."""

import pytest

from outbox_kit.connect.client import Connect
from outbox_kit.schema.read import read
from outbox_kit.stack import Stack
from outbox_kit.wire import connector
from tests.live.conftest import HERE

# the option that is to blame where the server cannot be reached, what is said of it, and what makes the driver give up
UNREACHABLE: dict[str, tuple[str, str, dict[str, str]]] = {
    "sqlserver": ("database.hostname", "Unable to connect", {"driver.loginTimeout": "1"}),
    "oracle": ("database.hostname", "Unable to connect", {}),
    "mongodb": ("mongodb.connection.string", "Unable to connect", {"mongodb.server.selection.timeout.ms": "1000"}),
}


@pytest.mark.parametrize("dialect", sorted(UNREACHABLE))
def test_only_the_server_is_missing(stack: Stack, dialect: str) -> None:
    blamed, said, soon = UNREACHABLE[dialect]
    examples = [read(HERE.parent / "examples" / f"{name}.yaml").outboxes for name in (dialect, "presets")]
    for outbox in (one for outboxes in examples for one in outboxes if one.database.dialect == dialect):
        here = outbox.database.model_copy(update={"host": "127.0.0.1", "port": 1})
        config = connector.config(outbox.model_copy(update={"database": here})) | soon
        errors = Connect(stack.connect_url).validate(config, outbox.names.connector)
        errors.pop("exactly.once.support", None)  # a choice of the worker's
        assert list(errors) == [blamed] and all(said in error for error in errors[blamed]), errors
