#!/bin/sh
set -e

WORKER_URL="${WORKER_URL:-http://worker:8083}"
NAME="${NAME:-ops-mysql-connector}"

echo "Asking ${WORKER_URL} ..."
n=0
until curl -sf "${WORKER_URL}/connectors" > /dev/null; do
  n=$((n + 1))
  if [ "$n" -gt 60 ]; then
    echo "The worker did not answer, giving up"
    exit 1
  fi
  echo "Nothing yet (${n})..."
  sleep 5
done

echo "A short pause for the database..."
sleep 15

CODE=$(curl -s -o /dev/null -w "%{http_code}" "${WORKER_URL}/connectors/${NAME}" || true)
if [ "$CODE" = "200" ]; then
  echo "${NAME} is there already"
  exit 0
fi

echo "Adding the MySQL connector..."
curl -sf -X POST "${WORKER_URL}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "ops-mysql-connector",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "tasks.max": "1",
      "database.hostname": "mysql",
      "database.port": "3306",
      "database.user": "debezium",
      "database.password": "dbz",
      "database.server.id": "184054",
      "topic.prefix": "mysql",
      "database.include.list": "ops_db",
      "table.include.list": "ops_db.logins,ops_db.keys",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
      "schema.history.internal.kafka.topic": "schemahistory.ops",
      "include.schema.changes": "false",
      "snapshot.mode": "initial"
    }
  }'

echo ""
echo "Done"
