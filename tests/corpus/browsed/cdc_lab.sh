#!/bin/sh
# A PostgreSQL of our own, a standalone Connect worker, N rows in, N events out.
set -u

ROWS=${ROWS:-50}
PG_PORT=${PG_PORT:-55440}
WORK=${WORK:-/tmp/cdc-lab}
CONNECT=http://127.0.0.1:8083
mkdir -p "$WORK"

if [ ! -d "$WORK/pg" ]; then
  "$PGBIN/initdb" -D "$WORK/pg" --auth=trust > "$WORK/initdb.log" 2>&1
  echo "wal_level = logical" >> "$WORK/pg/postgresql.conf"
fi
"$PGBIN/pg_ctl" -D "$WORK/pg" -o "-p $PG_PORT" -l "$WORK/pg.log" start > /dev/null

PSQL="$PGBIN/psql -h 127.0.0.1 -p $PG_PORT -U $(whoami) -v ON_ERROR_STOP=1 -q"
$PSQL -d postgres -c "CREATE DATABASE cdc_lab" > "$WORK/createdb.log" 2>&1
$PSQL -d cdc_lab -c "CREATE TABLE IF NOT EXISTS public.t_sales (id INT PRIMARY KEY, amount NUMERIC)"

if ! curl -sf -m 5 "$CONNECT/connectors" >/dev/null 2>&1; then
  cat > "$WORK/worker.properties" <<EOF
bootstrap.servers=127.0.0.1:9092
key.converter=org.apache.kafka.connect.json.JsonConverter
value.converter=org.apache.kafka.connect.json.JsonConverter
offset.storage.file.filename=$WORK/connect.offsets
offset.flush.interval.ms=1000
# the parent: each folder below is one plugin with its own class loader
plugin.path=$(dirname "$PLUGIN_DIR")
listeners=http://127.0.0.1:8083
EOF
  cat > "$WORK/connector.properties" <<EOF
name=lab-pg
connector.class=io.debezium.connector.postgresql.PostgresConnector
tasks.max=1
plugin.name=pgoutput
database.hostname=127.0.0.1
database.port=$PG_PORT
database.user=$(whoami)
database.dbname=cdc_lab
topic.prefix=cdclab
table.include.list=public.t_sales
EOF
  setsid nohup "$KAFKA_HOME/bin/connect-standalone.sh" "$WORK/worker.properties" "$WORK/connector.properties" \
    > "$WORK/connect.out" 2>&1 < /dev/null &
  i=0
  while [ $i -lt 60 ]; do
    curl -sf -m 5 "$CONNECT/connectors" >/dev/null 2>&1 && break
    sleep 2; i=$((i + 2))
  done
fi

$PSQL -d cdc_lab -c "INSERT INTO public.t_sales SELECT g, g * 3 FROM generate_series(1, $ROWS) AS g"

"$KAFKA_HOME/bin/kafka-console-consumer.sh" --bootstrap-server 127.0.0.1:9092 \
  --topic cdclab.public.t_sales --from-beginning --max-messages "$ROWS" --timeout-ms 30000 > "$WORK/events.jsonl"
events=$(grep -c '"op"' "$WORK/events.jsonl")
[ "$events" -ge "$ROWS" ] || { echo "only $events of $ROWS" >&2; exit 2; }
