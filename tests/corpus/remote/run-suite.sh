#!/bin/sh
# run-suite.sh — прогон нагрузочных сценариев один за другим (внутри контейнера k6).
#
# Порядок: удалить старые данные, залить новые, зарегистрировать коннектор,
# выполнить сценарии, показать итог.

DB_HOST="${DB_HOST:-postgres}"
DB_PORT="${DB_PORT:-5432}"
DB_USER="${DB_USER:-root}"
DB_PASSWORD="${DB_PASSWORD:-root}"
DB_NAME="${DB_NAME:-depot_chain_db}"
APP_URL="${APP_URL:-http://depot-service:8080}"

export PGPASSWORD="${DB_PASSWORD}"

echo "=== Нагрузочные тесты склада: ${APP_URL}, БД ${DB_NAME} ==="

# ── 1. Старые данные ─────────────────────────────────────────────────────────
psql -h "${DB_HOST}" -p "${DB_PORT}" -U "${DB_USER}" -d "${DB_NAME}" \
     -f /load/setup/cleanup.sql > /dev/null 2>&1 || true

# ── 2. Новые данные ──────────────────────────────────────────────────────────
psql -h "${DB_HOST}" -p "${DB_PORT}" -U "${DB_USER}" -d "${DB_NAME}" \
     -f /load/setup/seed.sql > /dev/null \
    || { echo "[SEED] ошибка в seed.sql" >&2; exit 1; }

# ── 3. Коннектор outbox ──────────────────────────────────────────────────────
# Пока коннектора нет, строки public.outbox_records в Kafka не уходят
# и сервис chain-writer ничего не записывает.
CONNECT_URL="${CONNECT_URL:-http://cdc-connect:8083}"

echo "[CDC] Ждём Kafka Connect..."
for i in $(seq 1 24); do
    if curl -sf "${CONNECT_URL}/connectors" > /dev/null 2>&1; then
        echo "[CDC] Отвечает (${i}/24)."
        break
    fi
    if [ "${i}" -eq 24 ]; then
        echo "[CDC] WARN: за 120 секунд ответа нет, идём дальше." >&2
    fi
    sleep 5
done

CONN_STATUS=$(curl -sf -o /dev/null -w "%{http_code}" \
    "${CONNECT_URL}/connectors/depot-outbox" 2>/dev/null || echo "000")

if [ "${CONN_STATUS}" = "200" ]; then
    echo "[CDC] depot-outbox уже есть."
else
    echo "[CDC] Создаём depot-outbox..."
    curl -sf -X POST "${CONNECT_URL}/connectors" \
        -H "Content-Type: application/json" \
        --data-binary '{
  "name": "depot-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "${env:DB_USER}",
    "database.password": "${env:DB_PASSWORD}",
    "database.dbname": "${env:DB_NAME}",
    "topic.prefix": "depot",
    "table.include.list": "public.outbox_records",
    "plugin.name": "pgoutput",
    "slot.name": "depot_outbox",
    "publication.name": "depot_publication",
    "publication.autocreate.mode": "filtered",
    "snapshot.mode": "never",
    "max.batch.size": 2048,
    "max.queue.size": 8192,
    "poll.interval.ms": 5000,
    "heartbeat.interval.ms": 10000,
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "record_id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.type": "event_type",
    "transforms.outbox.table.field.event.payload": "payload_digest",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "depot.events.v1",
    "transforms.outbox.table.fields.additional.placement": "aggregate_type:header:aggregate_type",
    "transforms.outbox.table.expand.json.payload": "false",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}' \
        && echo "[CDC] Создан." \
        || echo "[CDC] WARN: создать не удалось." >&2

    # snapshot.mode=never: старые строки не читаются, только новые.
    # При заливке данных outbox не пишется, так что ничего не теряется.
    sleep 10
fi

# ── 4. Сценарии ──────────────────────────────────────────────────────────────
FAILED=0

run_test() {
    NAME="$1"; shift
    echo "--- ${NAME} ---"
    if ! k6 run --no-usage-report -e "APP_URL=${APP_URL}" "$@" "/load/${NAME}"; then
        FAILED=$((FAILED + 1))
    fi
}

run_test "01-smoke.js"
run_test "02-login.js"
run_test "03-inbound.js"
run_test "04-chain.js"

# ── 5. Итог ──────────────────────────────────────────────────────────────────
echo "Не прошли: ${FAILED}"

exit "${FAILED}"
