#!/usr/bin/env python3
"""One Debezium Server for each tenant, as a compose file.

The tables come from the registry of the indexer, so both always agree. No secret is written: logins are references
to variables, which `docker compose` takes from .env.
"""
from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from search.registry import tables_of  # noqa: E402
from search.tenants import tenants  # noqa: E402

IMAGE = "debezium/server:3.0.0.Final"
FIRST_SERVER_ID = 7300  # each instance needs its own
TARGET = Path("docker-compose.cdc.yml")


def ref(tenant: str, what: str) -> str:
    return "${%s_%s}" % (tenant.upper(), what)


def service(tenant: str, server_id: int) -> str:
    tables = ",".join(f"{ref(tenant, 'DB_NAME')}.{t}" for t in tables_of(tenant))
    return f"""
  cdc-{tenant}:
    image: {IMAGE}
    restart: unless-stopped
    environment:
      DEBEZIUM_SOURCE_CONNECTOR_CLASS: io.debezium.connector.mysql.MySqlConnector
      DEBEZIUM_SOURCE_DATABASE_HOSTNAME: {ref(tenant, "DB_HOST")}
      DEBEZIUM_SOURCE_DATABASE_PORT: {ref(tenant, "DB_PORT")}
      DEBEZIUM_SOURCE_DATABASE_USER: {ref(tenant, "CDC_USER")}
      DEBEZIUM_SOURCE_DATABASE_PASSWORD: {ref(tenant, "CDC_PASSWORD")}
      DEBEZIUM_SOURCE_DATABASE_SERVER_ID: "{server_id}"
      DEBEZIUM_SOURCE_TOPIC_PREFIX: idx_{tenant}
      DEBEZIUM_SOURCE_DATABASE_INCLUDE_LIST: {ref(tenant, "DB_NAME")}
      DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST: "{tables}"
      # the rows that are there already are indexed by POST /{tenant}/reindex
      DEBEZIUM_SOURCE_SNAPSHOT_MODE: ${{CDC_SNAPSHOT:-no_data}}
      DEBEZIUM_SOURCE_SNAPSHOT_LOCKING_MODE: none
      DEBEZIUM_SOURCE_DECIMAL_HANDLING_MODE: string
      DEBEZIUM_SOURCE_TIME_PRECISION_MODE: connect
      DEBEZIUM_SOURCE_BIGINT_UNSIGNED_HANDLING_MODE: long
      DEBEZIUM_SOURCE_OFFSET_STORAGE: org.apache.kafka.connect.storage.FileOffsetBackingStore
      DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME: /debezium/data/idx.dat
      DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS: "8000"
      DEBEZIUM_SOURCE_SCHEMA_HISTORY_INTERNAL: io.debezium.storage.file.history.FileSchemaHistory
      DEBEZIUM_SOURCE_SCHEMA_HISTORY_INTERNAL_FILE_FILENAME: /debezium/data/ddl.dat
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
    names = sorted(tenants())
    body = "".join(service(name, FIRST_SERVER_ID + i) for i, name in enumerate(names))
    volumes = "".join(f"  cdc_{name}:\n" for name in names)
    TARGET.write_text(f"# made by gen_tenant_cdc.py\nservices:\n{body}\nvolumes:\n{volumes}")


if __name__ == "__main__":
    main()
