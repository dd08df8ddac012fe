#!/usr/bin/env python3
"""Confere se um pacote novo muda só o heartbeat do CDC (decisão D112)."""

from __future__ import annotations

# A lista descreve apenas a transição do heartbeat; TLS, offsets e o ack do
# broker têm de permanecer byte a byte iguais ao pacote anterior.
HEARTBEAT_PROPERTIES = {
    "debezium.source.table.include.list": "public.shipping_outbox_v2,cargo_cdc_state.shipping_v2_heartbeat",
    "debezium.source.heartbeat.interval.ms": "60000",
    "debezium.source.heartbeat.action.query": "SELECT cargo_cdc_state.pulse_shipping_v2_heartbeat()",
    "debezium.source.lsn.flush.mode": "connector",
    "debezium.source.database.query.timeout.ms": "5000",
    "debezium.transforms": "ackCdcPulse,outbox,dropNullHeaders",
    "debezium.transforms.ackCdcPulse.type": "io.cargo.shipping.v2.AcknowledgeCdcPulse",
    "debezium.predicates": "isCdcPulse",
    "debezium.predicates.isCdcPulse.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "debezium.predicates.isCdcPulse.pattern": "^(__debezium-heartbeat[.]cargo_shipping_v2|cargo_shipping_v2[.]cargo_cdc_state[.]shipping_v2_heartbeat)$",
    "debezium.transforms.outbox.predicate": "isCdcPulse",
    "debezium.transforms.outbox.negate": "true",
    "debezium.transforms.dropNullHeaders.predicate": "isCdcPulse",
    "debezium.transforms.dropNullHeaders.negate": "true",
}

BASELINE = {
    "debezium.source.table.include.list": "public.shipping_outbox_v2",
    "debezium.source.heartbeat.interval.ms": "0",
    "debezium.transforms": "outbox,dropNullHeaders",
}


def fail(message: str) -> None:
    raise SystemExit(f"[cargo-verify] ERRO: {message}")


def parse(text: str) -> dict[str, str]:
    result: dict[str, str] = {}
    for line in text.splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        key, separator, value = line.partition("=")
        if not separator or key in result or key != key.strip():
            fail("propriedades ausentes, repetidas ou ambíguas")
        result[key] = value
    return result


def validate(previous: str, candidate: str) -> None:
    old, new = parse(previous), parse(candidate)
    if any(old.get(key) != value for key, value in BASELINE.items()):
        fail("ponto de partida diferente do esperado")
    if any(key in old for key in HEARTBEAT_PROPERTIES.keys() - BASELINE.keys()):
        fail("parte da mudança já está no pacote anterior")
    if new != {**old, **HEARTBEAT_PROPERTIES}:
        fail("a configuração muda algo além do heartbeat")
