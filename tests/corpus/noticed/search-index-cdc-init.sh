#!/usr/bin/env bash
set -euo pipefail

# 在 Kafka Connect 上注册 PostgreSQL CDC connector，可以重复执行。
# compose 里的 connect-init 服务等 connect 和 postgres 起来之后执行它。

CONNECT_URL="${CONNECT_URL:-http://connect:8083}"
PG_HOST="${POSTGRES_HOST:-postgres}"
PG_PORT="${POSTGRES_PORT:-5432}"
PG_USER="${POSTGRES_USER:-postgres}"
PG_PASSWORD="${POSTGRES_PASSWORD:-change-me}"
PG_DB="${POSTGRES_DB:-postgres}"

# 要捕获的表，用逗号分隔并带上 schema；默认只有检索用的 doc_entries。
TABLE_INCLUDE_LIST="${CDC_TABLE_INCLUDE_LIST:-public.doc_entries}"
SERVER_NAME="${CDC_SERVER_NAME:-pg}"
SLOT_NAME="${CDC_SLOT_NAME:-docindex_slot}"
PUBLICATION_NAME="${CDC_PUBLICATION_NAME:-docindex_pub}"
CONNECTOR_NAME="${CDC_CONNECTOR_NAME:-docindex-cdc}"

# 容器启动不等于 API 可用，这里一直等到它回答为止
TRIES=0
until curl -fsS "${CONNECT_URL}/" >/dev/null 2>&1; do
  TRIES=$((TRIES + 1))
  if [ "${TRIES}" -ge 60 ]; then
    echo "错误: ${CONNECT_URL} 没有就绪" >&2
    exit 1
  fi
  sleep 3
done

JSON=$(cat <<EOF
{
  "name": "${CONNECTOR_NAME}",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresqlConnector",
    "database.hostname": "${PG_HOST}",
    "database.port": "${PG_PORT}",
    "database.user": "${PG_USER}",
    "database.password": "${PG_PASSWORD}",
    "database.dbname": "${PG_DB}",
    "database.server.name": "${SERVER_NAME}",
    "schema.include.list": "public",
    "table.include.list": "${TABLE_INCLUDE_LIST}",
    "plugin.name": "pgoutput",
    "publication.autocreate.mode": "filtered",
    "publication.name": "${PUBLICATION_NAME}",
    "slot.name": "${SLOT_NAME}",
    "topic.prefix": "${SERVER_NAME}",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter.schemas.enable": "false"
  }
}
EOF
)

# 已经存在就先删掉，表的清单改了之后可以重跑
if curl -fsS "${CONNECT_URL}/connectors/${CONNECTOR_NAME}" >/dev/null 2>&1; then
  curl -fsS -X DELETE "${CONNECT_URL}/connectors/${CONNECTOR_NAME}" >/dev/null
  sleep 2
fi

curl -fsS -X POST "${CONNECT_URL}/connectors" \
  -H "Content-Type: application/json" \
  -d "${JSON}"
echo "已注册: ${CONNECTOR_NAME} (${TABLE_INCLUDE_LIST})"
