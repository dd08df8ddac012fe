"""Which fault the words of each library mean. The words are those that real servers and libraries have said."""

import pytest

from outbox_kit.tls import FIXES, WORDS, TlsFault, TlsSettings, explained, fault

SETTINGS = TlsSettings("the server", "ADDRESS", "AUTHORITY", "CLIENT", "ON", "OFF")


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (
            "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1006)",
            "expired",
        ),
        ("certificate is not yet valid", "early"),
        ("certificate verify failed: IP address mismatch, certificate is not valid for '127.0.0.1'", "other_host"),
        ('server certificate for "localhost" does not match host name "db.example"', "other_host"),
        ("certificate verify failed: unable to get local issuer certificate (_ssl.c:1006)", "unknown_authority"),
        ("self-signed certificate in certificate chain", "unknown_authority"),
        ("SSL error: certificate verify failed", "unverified"),
        ("[SSL: TLSV13_ALERT_CERTIFICATE_REQUIRED] tlsv13 alert certificate required", "no_client_certificate"),
        ("FATAL: connection requires a valid client certificate", "no_client_certificate"),
        ("error:0A000416:SSL routines::ssl/tls alert certificate unknown: SSL alert number 46", "refused_certificate"),
        ("SSL error: tlsv1 alert unknown ca", "refused_certificate"),
        ("[SSL: SSLV3_ALERT_BAD_CERTIFICATE] sslv3 alert bad certificate", "refused_certificate"),
        ("server does not support SSL, but SSL was required", "clear_server"),
        ("SSL is required but the server doesn't support it", "clear_server"),
        ("[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:1006)", "clear_server"),
        ("connecting to a PLAINTEXT broker listener? (after 2ms in state SSL_HANDSHAKE)", "clear_server"),
        ("Disconnected: SSL connection closed by peer (after 0ms in state SSL_HANDSHAKE)", "clear_server"),
        ('no pg_hba.conf entry for host "::1", user "a", database "b", no encryption', "clear_client"),
        ("Connections using insecure transport are prohibited while --require_secure_transport=ON.", "clear_client"),
        ("\x15\x03\x03\x00\x02\x02P", "clear_client"),
        ('root certificate file "/nowhere" does not exist', "bad_file"),
        ('could not load private key file "a.pem": key values mismatch', "bad_file"),
        ("Failed to parse ssl.keystore.location PKCS#12 file: a.p12: mac verify failure", "bad_file"),
        ("connection refused", None),
        ('password authentication failed for user "certificate"', None),
        ("SSL SYSCALL error: EOF detected", None),
    ],
)
def test_words_mean_a_fault(words: str, kind: str | None) -> None:
    assert fault(words) is (None if kind is None else TlsFault[kind])


def test_every_fault_has_words_and_a_fix() -> None:
    assert {kind for _, kind in WORDS} == set(TlsFault) == FIXES.keys()


def test_another_handshake_finds_the_reason_that_a_library_withholds() -> None:
    withheld = "SSL error: certificate verify failed"
    found = explained(withheld, SETTINGS, lambda: "certificate has expired")
    assert (
        found is not None and found.fault is TlsFault.expired and found.why.startswith("the certificate of the server")
    )
    unknown = explained(withheld, SETTINGS, lambda: "")
    assert unknown is not None and unknown.fault is TlsFault.unverified and "AUTHORITY" in unknown.fix
    clear = explained("\x15\x03\x03", SETTINGS)
    assert clear is not None and clear.why == "the server requires TLS at this address" and clear.fix.endswith("ON")
