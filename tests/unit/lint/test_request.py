"""The request that sends a connector, as scripts and files of requests show it, and what Kafka Connect refuses.

The answers are those of Kafka Connect 4.3.
"""

import pytest

from outbox_kit.lint.request import ConnectRequest, curl, path_of
from outbox_kit.lint.run import check
from outbox_kit.lint.texts import from_text

OPTIONS = '"connector.class": "a.B", "tasks.max": "1"'
OTHER = f'{{"name": "order", {OPTIONS}}}'
WRAPPED, ALONE = f'{{"name": "orders", "config": {{{OPTIONS}}}}}', f"{{{OPTIONS}}}"
JSON = "-H 'Content-Type: application/json'"
RULES = {
    "body-refused",
    "body-not-sent",
    "method-refused",
    "content-type-missing",
    "connector-name-differs",
    "not-started",
}


def refused(text: str, file: str = "a.sh") -> list[str]:
    """The rules about the request that a text breaks."""
    rules = [rule for finding in check(from_text(text, file, None)) for rule in finding.facts["rules"]]
    return [rule for rule in rules if rule in RULES]


@pytest.mark.parametrize(
    ("command", "request_"),
    [
        (f"curl -X POST {JSON} -d '{WRAPPED}' http://c/connectors", ("POST", "/connectors", "application/json")),
        (f"curl --json '{WRAPPED}' http://c/connectors/", ("POST", "/connectors", "application/json")),
        (f"curl -sXPUT {JSON} 'c/connectors/a/config?x=y' -d @- <<< '{ALONE}'", ("PUT", "/connectors/a/config", "j")),
        (
            f"curl --request=PUT \\\n $CONNECT/connectors/$NAME/config --data '{ALONE}'",
            ("PUT", "/connectors/-/config", ""),
        ),
        (
            f"cat <<E | /usr/bin/curl -is -X PUT -d @- c/connectors/a/config\n{ALONE}\nE\n",
            ("PUT", "/connectors/a/config", ""),
        ),
        (f"curl \"${{OPTIONS[@]}}\" -d '{WRAPPED}' c/connectors", ("POST", "/connectors", None)),
        (f"curl -K settings -d '{WRAPPED}' c/connectors", ("POST", "/connectors", None)),
        (f"code=$(curl -w \"%{{http_code}}\" {JSON} -d '{WRAPPED}' c/connectors)", ("POST", "/connectors", "j")),
        (f"curl c; curl {JSON} -d '{WRAPPED}' \"$URL\" 2>&1 -s", ("POST", "", "j")),
        (f"curl -X POST {JSON} c/connectors -d'{WRAPPED}'", ("POST", "/connectors", "j")),
        (f"curl {JSON} c/connectors -sd'{WRAPPED}'", ("POST", "/connectors", "j")),
    ],
)
def test_a_command_shows_its_request(command: str, request_: tuple[str, str, str | None]) -> None:
    (subject,) = from_text(command, "a.sh", None)
    made = subject.document.request
    assert made is not None
    path = "/".join("-" if "$" in part else part for part in made.path.split("/"))
    content_type = made.content_type and ("j" if request_[2] == "j" else made.content_type)
    assert (made.method, path, content_type) == request_


@pytest.mark.parametrize("words", [[], ["echo"], ["curl", "http://c/connectors"], ["curl", "-d", "x", "|", "curl"]])
def test_other_commands_send_nothing(words: list[str]) -> None:
    assert curl(words) is None


def test_an_address_without_a_connector_has_no_path() -> None:
    assert path_of("http://connect:8083/connector-plugins/a/config/validate") == ""
    assert ConnectRequest("PUT", "/connectors/orders/config").connector == "orders"


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (f"curl {JSON} -d '{WRAPPED}' c/connectors", []),
        (f"curl POST c/connectors '{WRAPPED}'", ["body-not-sent"]),
        (f"curl -X POST {JSON} c/connectors -d'{WRAPPED}'", []),
        (f"curl -X PUT {JSON} c/connectors '{WRAPPED}'", ["body-not-sent"]),
        (f"curl {JSON} c/connectors --data-raw '{WRAPPED}'", []),
        (f"curl \"${{OPTIONS[@]}}\" c/connectors '{WRAPPED}'", []),
        (f"curl -X PUT {JSON} -d '{ALONE}' c/connectors/orders/config", []),
        (f"curl -X PATCH {JSON} -d '{ALONE}' c/connectors/orders/config", []),
        (f"curl -X PUT {JSON} -d '{WRAPPED}' c/connectors/orders/config", ["body-refused"]),
        (f"curl {JSON} -d '{ALONE}' c/connectors", ["body-refused"]),
        (f"curl {JSON} -d '[{WRAPPED}]' c/connectors", ["body-refused"]),
        (f"curl {JSON} -d '{WRAPPED[:-1]}, \"tasks\": []}}' c/connectors", ["body-refused"]),
        (f"curl {JSON} -d '{WRAPPED[:-1]}, \"offsets\": []}}' c/connectors", ["body-refused"]),
        (f"curl {JSON} -d '{WRAPPED[:-1]}, \"offsets\": []}}' c/connectors".replace("a.B", "PostgresCdcSourceV2"), []),
        (f"curl -X PUT {JSON} -d '{WRAPPED}' c/connectors", ["method-refused"]),
        (f"curl -X PUT {JSON} -d '{ALONE}' c/connectors/orders", ["method-refused"]),
        (f"curl -X PUT {JSON} -d '{ALONE}' c/connectors/orders/resume", []),
        (f"curl -X POST {JSON} -d '{ALONE}' c/connectors/orders/resume", ["method-refused"]),
        (f"curl {JSON} -d '{ALONE}' c/connectors/orders/config", ["method-refused"]),
        (f"curl -d '{WRAPPED}' c/connectors", ["content-type-missing"]),
        (
            f'curl -X PUT {JSON} -d \'{{"name": "order", {OPTIONS}}}\' c/connectors/orders/config',
            ["connector-name-differs"],
        ),
        (f'curl -X PUT {JSON} -d \'{{"name": "order", {OPTIONS}}}\' "c/connectors/$N/config"', []),
    ],
)
def test_a_request_that_is_refused(text: str, rules: list[str]) -> None:
    assert refused(text) == rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (f"POST http://c/connectors\nContent-Type: application/json\n\n{WRAPPED}\n", []),
        (f"PUT http://c/connectors/a/config\n\n{WRAPPED}\n", ["body-refused"]),
        (f"POST http://c/connectors\nContent-Type: text/plain\n\n{WRAPPED}\n", ["content-type-missing"]),
        (f"POST http://c/connectors\nContent-Type: application/json\n{WRAPPED}\n", ["body-not-sent"]),
        (f"POST http://c/connectors\n\n{WRAPPED}\n\nPOST http://d/orders\n\n{{}}\n", []),
        (f"GET http://d/orders\n\nPOST http://c/connectors\n\n{WRAPPED}\n", []),
    ],
)
def test_a_file_of_requests_shows_them(text: str, rules: list[str]) -> None:
    assert refused(text, "a.http") == rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (f'{WRAPPED[:-1]}, "tasks": [], "type": "source"}}', []),  # an answer that was kept
        (f'{WRAPPED[:-1]}, "initial_state": "RUNNING"}}', []),
        (f'{WRAPPED[:-1]}, "initial_state": "$STATE"}}', []),
        (f'{WRAPPED[:-1]}, "initial_state": "stopped"}}', ["not-started"]),
        (f'{WRAPPED[:-1]}, "initial_state": "HALTED"}}', ["not-started"]),
        (WRAPPED.replace('"tasks.max"', '"name": "order", "tasks.max"'), ["connector-name-differs"]),
        (f"[{WRAPPED}]", []),
    ],
)
def test_a_file_may_be_the_body_of_a_request(text: str, rules: list[str]) -> None:
    assert refused(text, "a.json") == rules


SHOWN = f"cat > a.json <<E\n{WRAPPED}\nE\n"


def sent(method: str, file: str, path: str = "") -> str:
    """A command that sends a file."""
    return f"curl -X {method} {JSON} -d @{file} c/connectors{path}"


@pytest.mark.parametrize(
    ("commands", "rules"),
    [
        (sent("PUT", "a.json", "/orders/config"), ["body-refused"]),
        (sent("PUT", "./out/a.json", "/orders/config"), ["body-refused"]),
        (sent("POST", "a.json"), []),
        (sent("PUT", "other.json", "/orders/config"), []),
        (f"{sent('PUT', 'a.json', '/orders/config')} || {sent('POST', 'a.json')}", []),
        ("curl -d @a.json 'c", []),
    ],
)
def test_a_text_of_a_file_that_another_command_sends(commands: str, rules: list[str]) -> None:
    assert refused(SHOWN + commands) == rules


def test_a_file_that_a_page_shows_and_sends() -> None:
    def page(body: str) -> str:
        return f"Save it as `a.json`:\n\n```json\n{body}\n```\n\n```sh\n{sent('POST', 'a.json')}\n```\n"

    assert refused(page(ALONE), "README.md") == ["body-refused"]
    assert refused(page(WRAPPED), "README.md") == []
    assert refused(page(WRAPPED.removesuffix("}") + ', "tasks": [], "type": "source"}'), "README.md") == []


POSTED = f"-d '{ALONE}' http://c/connectors"


@pytest.mark.parametrize(
    ("service", "rules"),
    [
        (f"image: curlimages/curl:8.9\n    command: >\n      {POSTED}", ["body-refused"]),
        (f"image: curl\n    command: >\n      curl {POSTED}", ["body-refused"]),
        (f"image: curl\n    entrypoint: [sh]\n    command: >\n      curl {POSTED}", ["body-refused"]),
        (f"image: example/tool\n    command: >\n      {POSTED}", []),
    ],
)
def test_the_command_of_an_image_of_curl(service: str, rules: list[str]) -> None:
    text = f"services:\n  c:\n    {service}\nx: {{connector.class: a.B}}\n"
    assert [rule for rule in refused(text, "compose.yml") if rule == "body-refused"] == rules
