"""A client's properties: Kafka's names and librdkafka's, and what is kept out of the file."""

from pathlib import Path

import pytest

from outbox_kit.errors import BadConfigFile
from outbox_kit.kafka.access import native, settings
from outbox_kit.kafka.read import Cluster

JAAS = 'org.apache.kafka.common.security.scram.ScramLoginModule required username="me" password="a \\"b\\" c";'


def test_a_login_module_s_user_and_password_are_librdkafka_s() -> None:
    given = {"security.protocol": "SASL_SSL", "sasl.mechanism": "SCRAM-SHA-512", "sasl.jaas.config": JAAS}
    expected = {"security.protocol": "SASL_SSL", "sasl.mechanism": "SCRAM-SHA-512"}
    assert native(given) == {**expected, "sasl.username": "me", "sasl.password": 'a "b" c'}
    assert native({"sasl.username": "me"}) == {"sasl.username": "me"}


def test_a_file_refers_to_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "client.properties"
    path.write_text("# mine\nsasl.username = me\nsasl.password=${env:SHOP_PASSWORD}\n")
    with pytest.raises(BadConfigFile, match="'SHOP_PASSWORD' is not set") as raised:
        settings(path)
    assert (raised.value.where, raised.value.fix) == (f"{path}:3:1", "export SHOP_PASSWORD=...")
    monkeypatch.setenv("SHOP_PASSWORD", r"a\b")
    assert settings(path) == {"sasl.username": "me", "sasl.password": r"a\b"}
    assert r"a\b" not in repr(Cluster("here:1", settings(path)))


def test_no_file_is_no_settings_and_one_that_cannot_be_read_is_one_message(tmp_path: Path) -> None:
    assert settings(None) == {}
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(BadConfigFile, match="cannot be read"):
            settings(path)


OAUTH = 'a.b.oauthbearer.OAuthBearerLoginModule required clientId="me" clientSecret="s!" scope=x;'


def test_a_java_client_s_names_become_librdkafka_s(tmp_path: Path) -> None:
    pem, p12 = tmp_path / "a.pem", tmp_path / "a.p12"
    pem.write_text("-----BEGIN CERTIFICATE-----")
    p12.write_bytes(b"\x30\x82\x01\x02")
    java = {
        "ssl.truststore.location": str(pem),
        "ssl.truststore.password": "no one reads it",
        "ssl.keystore.location": str(p12),
        "ssl.keystore.password": "a password",
        "ssl.key.password": "another",
        "ssl.endpoint.identification.algorithm": "",
        "ssl.enabled.protocols": "TLSv1.3",
        "key.serializer": "a.B",
        "sasl.login.refresh.window.factor": "0.8",
    }
    assert native(java) == {
        "ssl.ca.location": str(pem),
        "ssl.keystore.location": str(p12),
        "ssl.keystore.password": "a password",
        "ssl.key.password": "another",
        "ssl.endpoint.identification.algorithm": "none",
    }
    in_pem = native({"ssl.keystore.location": str(pem), "ssl.keystore.type": "PEM"})
    assert in_pem == {"ssl.certificate.location": str(pem), "ssl.key.location": str(pem)}
    values = {"ssl.truststore.certificates": "A", "ssl.keystore.certificate.chain": "B", "ssl.keystore.key": "C"}
    assert native(values) == {"ssl.ca.pem": "A", "ssl.certificate.pem": "B", "ssl.key.pem": "C"}


def test_a_client_of_oauth_is_translated() -> None:
    given = {"sasl.jaas.config": OAUTH, "sasl.oauthbearer.token.endpoint.url": "https://idp.example/token"}
    assert native(given) == {
        "sasl.oauthbearer.token.endpoint.url": "https://idp.example/token",
        "sasl.oauthbearer.client.id": "me",
        "sasl.oauthbearer.client.secret": "s!",
        "sasl.oauthbearer.scope": "x",
        "sasl.oauthbearer.method": "oidc",
    }


@pytest.mark.parametrize(
    ("start", "settings", "why", "fix"),
    [
        (b"\xfe\xed\xfe\xed", {"ssl.truststore.location": "{path}"}, "JKS", "keytool -importkeystore -srckeystore"),
        (b"\xfe\xed\xfe\xed", {"ssl.truststore.location": "{path}"}, "JKS", "&& openssl pkcs12 -in store.p12 -nokeys"),
        (b"\x30\x82", {"ssl.truststore.location": "{path}"}, "PKCS12", "openssl pkcs12 -in {path} -nokeys -out ca.pem"),
        (b"\xfe\xed\xfe\xed", {"ssl.keystore.location": "{path}"}, "JKS", "ssl.keystore.location=store.p12"),
        (b"", {"ssl.keystore.location": "{path}", "ssl.keystore.type": "JKS"}, "JKS", "keytool"),
        (
            b"",
            {"sasl.jaas.config": "com.sun.security.auth.module.Krb5LoginModule required;"},
            "Krb5",
            "ScramLoginModule",
        ),
        (b"", {"ssl.cipher.suites": "TLS_RSA_WITH_AES_128_GCM_SHA256"}, "Java", "OpenSSL"),
    ],
)
def test_what_librdkafka_cannot_do_is_refused_with_the_way_out(
    tmp_path: Path, start: bytes, settings: dict[str, str], why: str, fix: str
) -> None:
    path = tmp_path / "store.jks"
    path.write_bytes(start)
    with pytest.raises(BadConfigFile, match="cannot be used") as refused:
        native({name: value.format(path=path) for name, value in settings.items()})
    assert why in refused.value.why and fix.format(path=path) in refused.value.fix


def test_a_file_refers_to_other_files(tmp_path: Path) -> None:
    (tmp_path / "secrets.properties").write_text("a.password = from a file\n")
    (tmp_path / "token").write_text("from a folder\n")
    path = tmp_path / "client.properties"
    path.write_text(
        f"sasl.password=${{file:{tmp_path}/secrets.properties:a.password}}, ${{directory:{tmp_path}:token}}"
    )
    assert settings(path) == {"sasl.password": "from a file, from a folder"}
    for reference in ("${file:/nowhere:a}", f"${{file:{path}:b}}", "${file:a}", "${directory:/:..}", "${directory:a}"):
        path.write_text(f"sasl.password={reference}")
        with pytest.raises(BadConfigFile) as raised:
            settings(path)
        assert raised.value.where == f"{path}:1:1"
