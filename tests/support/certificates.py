"""An authority of a test's own, and the certificates that it issues: for servers, clients, expired or of another host.

Keys are of elliptic curves: a handshake with 4,096 bits of RSA takes 70 ms.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, NoEncryption, pkcs12
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)
HOSTS = ("localhost", "127.0.0.1")


@dataclass(frozen=True)
class Issued:
    """A certificate and its key, each in a file, and both in one, as Kafka takes them."""

    certificate: Path
    key: Path
    both: Path


class Authority:
    """An authority with its certificate in a file of a folder."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        """folder: for the authority's certificate, and for what it issues. name: of its files."""
        self.folder, self._key, self._name = folder, ec.generate_private_key(ec.SECP256R1()), _named(name)
        self._certificate = self._signed(self._name, self._key.public_key(), 1, authority=True)
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(self._certificate.public_bytes(serialization.Encoding.PEM))

    def issue(self, name: str, hosts: Sequence[str] = HOSTS, *, days: int = 1, password: bytes | None = None) -> Issued:
        """A certificate for a name. days: until it ends; below zero, it has ended. password: of its key's file."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = self._signed(_named(name), key.public_key(), days, hosts=hosts)
        encryption = NoEncryption() if password is None else BestAvailableEncryption(password)
        pem = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption
        texts = certificate.public_bytes(serialization.Encoding.PEM), key.private_bytes(*pem)
        issued = Issued(*(self.folder / f"{name}{ending}" for ending in (".pem", "-key.pem", "-both.pem")))
        for path, text in ((issued.certificate, texts[0]), (issued.key, texts[1]), (issued.both, texts[1] + texts[0])):
            path.touch(0o600)
            path.write_bytes(text)
        return issued

    def key_store(self, name: str, password: bytes, hosts: Sequence[str] = HOSTS) -> Path:
        """A key store of PKCS#12 with a new certificate and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate, path = self._signed(_named(name), key.public_key(), 1, hosts), self.folder / f"{name}.p12"
        encryption = BestAvailableEncryption(password)
        path.write_bytes(pkcs12.serialize_key_and_certificates(name.encode(), key, certificate, None, encryption))
        return path

    def trust_store(self, password: bytes) -> Path:
        """A trust store of PKCS#12 as Java takes it, with the authority's certificate."""
        path, entry = self.folder / "trust.p12", pkcs12.PKCS12Certificate(self._certificate, b"authority")
        path.write_bytes(pkcs12.serialize_java_truststore([entry], BestAvailableEncryption(password)))
        return path

    def _signed(
        self, subject: x509.Name, key: Any, days: int, hosts: Sequence[str] = (), *, authority: bool = False
    ) -> x509.Certificate:
        today = datetime.now(UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(today - 9 * DAY)
            .not_valid_after(today + days * DAY)
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
        )
        if authority:
            usage = dict.fromkeys(("key_cert_sign", "crl_sign"), True)
            names = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment")
            others = dict.fromkeys((*names, "key_agreement", "encipher_only", "decipher_only"), False)
            builder = builder.add_extension(x509.KeyUsage(**usage, **others), critical=True)
        if hosts:
            builder = builder.add_extension(
                x509.SubjectAlternativeName([_host(host) for host in hosts]), critical=False
            )
        return builder.sign(self._key, hashes.SHA256())


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _host(text: str) -> x509.GeneralName:
    return x509.IPAddress(ip_address(text)) if text[0].isdigit() else x509.DNSName(text)
