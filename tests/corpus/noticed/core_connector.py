"""Регистрация коннектора Debezium для основной базы и запрос его состояния."""

from __future__ import annotations

import logging

import httpx

log = logging.getLogger(__name__)

CONNECTOR = "ledger-cdc"
TABLES = ("customers", "contracts", "devices", "shops", "purchases", "rates")


def connector_config(slot: str = "ledger_cdc") -> dict[str, str]:
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "plugin.name": "pgoutput",
        "database.hostname": "main-db",
        "database.port": "5432",
        "database.user": "cdc",
        "database.password": "cdc",
        "database.dbname": "ledger",
        "topic.prefix": "ledger",
        "table.include.list": ",".join(f"ledger.{t}" for t in TABLES),
        # публикация приходит с миграцией базы: права на CREATE PUBLICATION у cdc нет
        "publication.name": "cdc_ledger",
        "publication.autocreate.mode": "disabled",
        "slot.name": slot,
        # историю читает отдельное задание через JDBC,
        # коннектору остаются изменения после создания слота
        "snapshot.mode": "no_data",
        # numeric строкой, иначе получится base64
        "decimal.handling.mode": "string",
        # топики без compaction, tombstone не нужен
        "tombstones.on.delete": "false",
        # когда в таблицах публикации долго тихо, позиция слота стоит и WAL растёт;
        # heartbeat её подтверждает
        "heartbeat.interval.ms": "30000",
    }


def register(connect_url: str) -> dict:
    """PUT можно повторять: создаёт коннектор или меняет существующий."""
    r = httpx.put(f"{connect_url}/connectors/{CONNECTOR}/config", json=connector_config(), timeout=30)
    r.raise_for_status()
    log.info("коннектор %s на месте", CONNECTOR)
    return r.json()
