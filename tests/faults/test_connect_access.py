"""What lets a client in to Kafka Connect's REST API: certificates, tokens, headers, proxies, and several workers."""

import socket
import sys
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from outbox_kit.connect.client import Connect
from outbox_kit.errors import ConnectUnreachable, EnvironmentProblem, OutboxKitError, UsageProblem
from tests.support import impatience
from tests.support.certificates import Authority
from tests.support.worker import Answer, running

WORKER = {"GET /": [Answer(200, {"version": "4.3.1"})]}
TOKENS = Answer(401, {"error_code": 401, "message": "expired"}), Answer(200, {"version": "4.3.1"})
PREFIX = "OUTBOX_KIT_CONNECT_"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    impatience.short_pauses(monkeypatch)
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    yield


def having(monkeypatch: pytest.MonkeyPatch, **values: object) -> None:
    """Set variables OUTBOX_KIT_CONNECT_*."""
    for name, value in values.items():
        monkeypatch.setenv(f"{PREFIX}{name.upper()}", str(value))


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.mark.parametrize(
    ("hosts", "days", "why", "fix"),
    [
        (["127.0.0.1"], -1, "the certificate of Kafka Connect has expired", "renew the certificate"),
        (["elsewhere.example"], 1, "was issued for another host", "in --connect"),
    ],
)
def test_a_worker_s_certificate_that_does_not_hold_is_named_at_once(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, hosts: list[str], days: int, why: str, fix: str
) -> None:
    having(monkeypatch, ca=authority.file)
    with running(WORKER, authority.issue("worker", hosts, days=days)) as worker:
        with pytest.raises(ConnectUnreachable, match="no TLS connection to Kafka Connect") as refused:
            Connect.from_environment(worker.url).worker()
        assert not worker.asked
    assert why in refused.value.why and fix in refused.value.fix and refused.value.exit_code == 4


def test_an_own_authority_is_named_in_any_of_three_variables_and_replaces_the_others(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with running(WORKER, authority.issue("worker")) as worker:
        with pytest.raises(ConnectUnreachable, match="no TLS connection"):
            Connect.from_environment(worker.url).worker()
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(authority.file))
        assert Connect.from_environment(worker.url).worker()
        having(monkeypatch, ca=Authority(tmp_path, "other").file)
        with pytest.raises(ConnectUnreachable, match="no TLS connection"):
            Connect.from_environment(worker.url).worker()


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ({"ca": "{folder}/nowhere.pem"}, "no file"),
        ({"ca": "{folder}/text.pem"}, "holds no certificate"),
        ({"certificate": "{folder}/own.pem", "key": "{folder}/worker-key.pem"}, "cannot be used with the key"),
        ({"certificate": "{folder}/own.pem", "key": "{folder}/own-key.pem"}, "cannot be used with the key"),
        ({"key": "{folder}/own-key.pem"}, "a key without a certificate"),
        ({"token_file": "{folder}/nowhere"}, "cannot be read"),
        ({"token": "a", "token_file": "b"}, "are both set"),
        ({"token": "${{env:NOT_THERE}}"}, "'NOT_THERE' is not set"),
        ({"headers": "no header"}, "invalid header in line 1"),
        ({"token_command": "'"}, "cannot be run"),
        ({"token_command": "/nowhere/zYgote9"}, "cannot be run"),
        ({"token_command": "false"}, "the command for a secret failed"),
    ],
)
def test_a_setting_that_cannot_be_used_is_one_message_before_anything_is_asked(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, values: dict[str, str], what: str
) -> None:
    authority.issue("own", password=b"secret-zYgote9")
    (authority.folder / "text.pem").write_text("no certificate")
    having(monkeypatch, **{name: value.format(folder=authority.folder) for name, value in values.items()})
    with running(WORKER, authority.issue("worker")) as worker:
        with pytest.raises(OutboxKitError, match=what) as refused:
            Connect.from_environment(worker.url).worker()
        assert not worker.asked
    assert refused.value.fix and isinstance(refused.value, UsageProblem | EnvironmentProblem)
    assert "zYgote9" not in " ".join(refused.value.lines())


def test_a_token_comes_from_a_file_or_a_command_and_is_read_again_when_it_was_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    file.write_text("first-zYgote9\n")
    having(monkeypatch, token_file=file)
    with running({"GET /": [*TOKENS]}) as worker:
        connect = Connect.from_environment(worker.url)
        file.write_text("second-zYgote9\n")
        assert connect.worker() == {"version": "4.3.1"}
        sent = [headers["Authorization"] for headers in worker.headers]
    assert sent == ["Bearer first-zYgote9", "Bearer second-zYgote9"]
    monkeypatch.delenv(f"{PREFIX}TOKEN_FILE")
    having(monkeypatch, token_command=f"{sys.executable} -c 'print(4711)'")
    with running({"GET /": [TOKENS[0]]}) as worker:
        with pytest.raises(OutboxKitError, match="401"):
            Connect.from_environment(worker.url).worker()
        assert [headers["Authorization"] for headers in worker.headers] == ["Bearer 4711"]  # no other one: final


def test_headers_hold_references_and_netrc_replaces_no_token(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "gateway.properties").write_text("key = zYgote9\\u0021\n")
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password netrc-zYgote9\n")
    lines = f"X-Tenant: shop\nX-Key: ${{file:{tmp_path}/gateway.properties:key}}"
    having(monkeypatch, headers=lines, token="${directory:" + f"{tmp_path}:token" + "}")
    (tmp_path / "token").write_text("directory-zYgote9\n")
    with running(WORKER) as worker:
        Connect.from_environment(worker.url).worker()
        monkeypatch.delenv(f"{PREFIX}TOKEN")
        Connect.from_environment(worker.url).worker()
        first, second = worker.headers
    assert (first["X-Tenant"], first["X-Key"], first["Authorization"]) == (
        "shop",
        "zYgote9!",
        "Bearer directory-zYgote9",
    )
    assert second["Authorization"] == f"Basic {b64encode(b'me:netrc-zYgote9').decode()}"


def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with running({"GET http://connect.example:8083/": WORKER["GET /"]}) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.replace("//", "//me:proxy-zYgote9@"))
        assert Connect.from_environment("http://connect.example:8083").worker()
        assert proxy.headers[0]["Proxy-Authorization"].startswith("Basic ")


def test_another_worker_is_asked_when_one_does_not_answer() -> None:
    with running(WORKER) as worker, socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        gone = f"http://127.0.0.1:{closed.getsockname()[1]}"
        connect = Connect(f"{gone},{worker.url}")
        assert connect.url == gone
        assert connect.worker() and connect.worker()
        assert connect.url == worker.url and len(worker.asked) == 2
        with pytest.raises(ConnectUnreachable):
            Connect(f"{gone},{gone}").worker()
