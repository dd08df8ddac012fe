"""Writes compose.cdc.yml: one Debezium Server a tenant, all of them into Redis streams."""
from pathlib import Path

from search.tenants import all_tenants, tables_of

IMAGE = "debezium/server:3.0.0.Final"
FIRST_SERVER_ID = 6200  # +1 a tenant, MySQL wants them unique
OUT = Path(__file__).resolve().parents[1] / "compose.cdc.yml"


def env(tenant: str, suffix: str) -> str:
    return "${%s_%s}" % (tenant.upper(), suffix)


def service(tenant: str, server_id: int) -> str:
    tables = ",".join(f"${{{tenant.upper()}_APP_DB}}.{t}" for t in tables_of(tenant))
    return f"""
  cdc-{tenant}:
    image: {IMAGE}
    restart: unless-stopped
    environment:
      DEBEZIUM_SOURCE_CONNECTOR_CLASS: io.debezium.connector.mysql.MySqlConnector
      DEBEZIUM_SOURCE_DATABASE_HOSTNAME: {env(tenant, "APP_DB_HOST")}
      DEBEZIUM_SOURCE_DATABASE_PORT: {env(tenant, "APP_DB_PORT")}
      DEBEZIUM_SOURCE_DATABASE_USER: {env(tenant, "CDC_USER")}
      DEBEZIUM_SOURCE_DATABASE_PASSWORD: {env(tenant, "CDC_PASSWORD")}
      DEBEZIUM_SOURCE_DATABASE_SERVER_ID: "{server_id}"
      DEBEZIUM_SOURCE_TOPIC_PREFIX: cdc_{tenant}
      DEBEZIUM_SOURCE_DATABASE_INCLUDE_LIST: {env(tenant, "APP_DB")}
      DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST: "{tables}"
      # no rows at the start: POST /sync fills the index
      DEBEZIUM_SOURCE_SNAPSHOT_MODE: ${{CDC_SNAPSHOT_MODE:-no_data}}
      DEBEZIUM_SOURCE_SNAPSHOT_LOCKING_MODE: none
      DEBEZIUM_SOURCE_POLL_INTERVAL_MS: "100"
      DEBEZIUM_SOURCE_DECIMAL_HANDLING_MODE: string
      DEBEZIUM_SOURCE_TIME_PRECISION_MODE: connect
      DEBEZIUM_SOURCE_BIGINT_UNSIGNED_HANDLING_MODE: long
      DEBEZIUM_SOURCE_OFFSET_STORAGE: org.apache.kafka.connect.storage.FileOffsetBackingStore
      DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME: /debezium/data/offsets.dat
      DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS: "10000"
      DEBEZIUM_SOURCE_SCHEMA_HISTORY_INTERNAL: io.debezium.storage.file.history.FileSchemaHistory
      DEBEZIUM_SOURCE_SCHEMA_HISTORY_INTERNAL_FILE_FILENAME: /debezium/data/history.dat
      DEBEZIUM_SOURCE_SCHEMA_HISTORY_INTERNAL_STORE_ONLY_CAPTURED_TABLES_DDL: "true"
      DEBEZIUM_FORMAT_VALUE: json
      DEBEZIUM_FORMAT_KEY: json
      DEBEZIUM_FORMAT_VALUE_SCHEMAS_ENABLE: "false"
      DEBEZIUM_FORMAT_KEY_SCHEMAS_ENABLE: "false"
      DEBEZIUM_SINK_TYPE: redis
      DEBEZIUM_SINK_REDIS_ADDRESS: ${{REDIS_HOST:-redis}}:${{REDIS_PORT:-6379}}
      DEBEZIUM_SINK_REDIS_PASSWORD: ${{REDIS_PASSWORD}}
      DEBEZIUM_SINK_REDIS_NULL_VALUE: default
    volumes:
      - cdc_{tenant}:/debezium/data
"""


def main() -> None:
    tenants = all_tenants()
    services = "".join(service(t, FIRST_SERVER_ID + i) for i, t in enumerate(tenants))
    volumes = "".join(f"  cdc_{t}:\n" for t in tenants)
    OUT.write_text("services:\n" + services + "\nvolumes:\n" + volumes, encoding="utf-8")


if __name__ == "__main__":
    main()
