"""The runbook of an outbox that a relay publishes: its commands exist, and none is about a connector."""

import re
import shlex
from typing import Any

import pytest
import typer.main
from markdown_it import MarkdownIt
from ruamel.yaml import YAML

from outbox_kit.cli import app
from outbox_kit.render.runbook import runbook
from outbox_kit.schema.fields import DeliverySettings
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.routes import Routes
from tests.support import hostile

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
EVENTS = "events: [{type: A, aggregate: Order}]"
CHOICES = {
    "log": "delivery: {by: relay}",
    "passing": "delivery: {by: relay, on_dead_letter: pass}",
    "table": "delivery: {by: relay, source: table}",
    "deleting": "delivery: {by: relay, source: table, record: delete}",
    "rabbitmq": "delivery: {by: relay, sink: rabbitmq}",
    "http": "delivery: {by: relay, source: table, sink: http}",
    "exactly once": "delivery: {by: relay}\ndelivery_guarantee: exactly-once",
    "in the log": "table: {storage: log}\ndelivery: {by: relay}",
}


def page(more: str) -> str:
    document = YAML(typ="safe").load(f"service: shop\ndatabase: {{dialect: postgres}}\n{EVENTS}\n{more}")
    return runbook(Routes(Outbox.model_validate(document)), arguments=("--service", "a b"))


def commands(text: str) -> list[list[str]]:
    """The words of each command of outbox-kit, in blocks and in sentences."""
    lines = re.findall(r"^ *(outbox-kit .*)$|`(outbox-kit [^`]*)`", text, re.MULTILINE)
    return [shlex.split(block or sentence)[1:] for block, sentence in lines]


@pytest.mark.parametrize("delivery", [*CHOICES.values(), "delivery: {by: connector}"], ids=[*CHOICES, "connector"])
def test_every_command_exists(delivery: str) -> None:
    listed = commands(page(delivery))
    assert len(listed) >= 10
    for words in listed:
        command: Any = typer.main.get_command(app)
        while words and words[0] in getattr(command, "commands", {}):
            command, words = command.commands[words[0]], words[1:]
        options = {name for parameter in command.params for name in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= options, words


@pytest.mark.parametrize("choice", CHOICES)
def test_it_is_about_a_relay_only(choice: str) -> None:
    text = page(CHOICES[choice])
    assert not re.search("deploy-connector|outbox-kit remove|OUTBOX_KIT_CONNECT|DUP-02 is", text)
    assert "Kafka Connect" not in text and "\n\n\n" not in text
    assert ("replication slot" in text) == ("source: table" not in CHOICES[choice])
    assert ("outbox-kit verify" in text) == ("sink" not in CHOICES[choice])


def test_a_page_does_not_depend_on_the_pages_before_it() -> None:
    for choice in [*CHOICES, *reversed(CHOICES)]:
        text = page(CHOICES[choice])
        assert ("## A topic was deleted" in text) == ("sink" not in CHOICES[choice]), choice


@pytest.mark.parametrize("source", ["log", "table"])
def test_hostile_names_are_names(source: str) -> None:
    def shape(outbox: Outbox) -> list[str]:
        settings = DeliverySettings(by="relay", source="log" if source == "log" else "table")
        tokens = MARKDOWN.parse(runbook(Routes(outbox.model_copy(update={"delivery": settings}))))
        every = [*tokens, *(child for token in tokens for child in token.children or ())]
        assert not any("pwned" in token.content for token in every if token.type == "text")
        return [token.type for token in tokens]

    usual = shape(Outbox.model_validate(hostile.file("postgres", "x")))
    for what, outbox in hostile.outboxes("postgres", among=("backtick", "markup", "markdown", "shell", "quote")):
        assert shape(outbox) == usual, what
