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
