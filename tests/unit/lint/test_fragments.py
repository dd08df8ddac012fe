"""Connectors that a file shows in part: options that a script adds, a page that describes them one by one."""

import pytest

from outbox_kit.errors import NoConnector
from outbox_kit.lint.document import Document
from outbox_kit.lint.formats import documents
from outbox_kit.lint.placeholders import INVALID_VARIABLE

SCRIPT = """OTHERS=""
[ -n "$TLS" ] && OTHERS=",\\"database.sslmode\\": \\"$TLS\\""
cat > a.json <<EOF
{{"connector.class": "a.B", "x": "y"${{OTHERS}}{more}}}
EOF
"""
LINES = """# Options
"connector.class": "a.B"
(the prefix of the topics)
- "topic.prefix": "shop",
"""
TABLE = """| Option | Value | Why |
|---|---|---|
| `connector.class` | `a.B` | |
| `topic.prefix` | `shop` | of the topics |
| `tasks.max` | one | |
"""
MERGED = """config='{{"connector.class": "a.B", "tasks.max": "1"}}'
echo "$config" | {jq} | curl -d @- connect
"""


def only(text: str, name: str) -> Document:
    (document,) = documents(text, name)
    return document


@pytest.mark.parametrize("more", ["", ', "z": "1"', '\n"z": "1"'])
def test_members_that_a_script_puts_in_make_a_config_partial(more: str) -> None:
    document = only(SCRIPT.format(more=more), "a.sh")
    assert document.partial and not document.fault
    assert document.config == {"connector.class": "a.B", "x": "y", **({"z": "1"} if more else {})}


@pytest.mark.parametrize("text", [LINES, TABLE])
def test_a_page_that_shows_options_one_by_one_is_a_partial_config(text: str) -> None:
    document = only(text, "README.md")
    assert document.partial and document.config == {"connector.class": "a.B", "topic.prefix": "shop"}
    line, column = document.spots["topic.prefix"]
    assert text.splitlines()[line - 1][column - 1 :].startswith("topic.prefix")


def test_a_page_that_shows_two_of_them_is_not_read() -> None:
    with pytest.raises(NoConnector):
        documents(f"{TABLE}\n{TABLE}", "README.md")


@pytest.mark.parametrize(
    ("jq", "partial"),
    [
        ("jq .", False),
        ("jq -r '.name'", False),
        ('jq --arg u "$U" \'. + {"database.user": $u}\'', True),
        ('jq --arg u "$U" \\\n  \'.config["database.user"] = $u\'', True),
    ],
)
def test_options_that_jq_adds_make_a_config_partial(jq: str, partial: bool) -> None:
    assert {document.partial for document in documents(MERGED.format(jq=jq), "a.sh")} == {partial}


@pytest.mark.parametrize(
    ("value", "invalid"),
    [("^public.outbox$", True), ("$1", True), ("$$1", False), ("${A}", False), ("$A", False), ("a$.b", True)],
)
def test_a_dollar_sign_that_compose_refuses_is_marked(value: str, invalid: bool) -> None:
    settings = f"      DEBEZIUM_SOURCE_CONNECTOR_CLASS: a.B\n      DEBEZIUM_SOURCE_X: {value}\n"
    text = f"services:\n  a:\n    environment:\n{settings}"
    assert (INVALID_VARIABLE in only(text, "compose.yml").config["x"]) is invalid


@pytest.mark.parametrize(("written", "value"), [(r"a.\\${routedByValue}", "a.${routedByValue}"), ("b", "b")])
def test_the_operator_writes_a_value_as_a_property(written: str, value: str) -> None:
    text = f"kind: DebeziumServer\nspec:\n  source:\n    class: a.B\n    config:\n      x: {written}\n"
    assert only(text, "a.yaml").config["x"] == value
