"""Deployments whose requests, or the answers to them, are lost on the way to the real Kafka Connect."""

from pathlib import Path

from outbox_kit.connect.client import Connect
from outbox_kit.stack import Stack
from tests.live.conftest import Kit
from tests.support import proxy


def test_a_deployment_is_carried_out_once_though_its_requests_and_answers_are_lost(
    stack: Stack, kit: Kit, tables: str
) -> None:
    connect, name = Connect(stack.connect_url), f"{tables}-outbox"
    put, post = f"PUT /connectors/{name}/config".encode(), b"POST /connectors "
    with proxy.before("127.0.0.1", stack.place.connect_port) as between:
        deploy = ("deploy-connector", "--yes", "--stable-for", "0", "--connect", between.url)
        between.halves, between.answers = [post], [post]
        created = kit(*deploy)
        assert between.lost == [b"POST /connectors"] * 2 and f"created '{name}'" in created.stderr
        assert kit("plan").stdout.startswith("NO CHANGES")

        path = Path("outbox.yaml")
        path.write_text(path.read_text().replace("heartbeat_ms: 500", "heartbeat_ms: 700"))
        between.halves, between.answers = [put], [put, b"GET / "]
        assert f"updated '{name}'" in kit(*deploy).stderr
        assert len(between.lost) == 5 and not between.halves and not between.answers
    assert kit("plan").stdout.startswith("NO CHANGES")
    assert (connect.config(name) or {})["heartbeat.interval.ms"] == "700"
    kit("remove", "--drop-slot", "--reset-offsets", "--allow-destructive")
