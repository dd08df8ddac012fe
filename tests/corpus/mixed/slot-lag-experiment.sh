#!/usr/bin/env bash
# 하트비트가 있을 때와 없을 때 슬롯의 지연을 잰다.
#
#   A) 캡처 대상에 쓰기가 있다 → 슬롯이 따라온다
#   B) 대상은 조용하고 다른 테이블만 바쁘다 → 하트비트가 없으면 WAL 이 쌓인다
set -uo pipefail
OUT="$(cd "$(dirname "$0")" && pwd)/results"; mkdir -p "$OUT"
P(){ docker exec lag-pg psql -U postgres -d tracks -qAt -c "$1" 2>&1; }
NET=$(docker inspect lag-pg -f '{{range $k,$v := .NetworkSettings.Networks}}{{$k}}{{end}}')

# 설정은 파일로 넘긴다. 환경변수로는 action.query 의 공백이 깨졌다.
# 경로는 /debezium/config 다.
start_dbz(){ # $1=heartbeat_ms (0이면 끔)
  docker rm -f lag-dbz >/dev/null 2>&1 || true

  local conf="$OUT/application.properties"
  cat > "$conf" <<CONF
debezium.sink.type=http
debezium.sink.http.url=http://lag-sink:8080/
# http 싱크는 포맷을 적어야 한다
debezium.format.key=json
debezium.format.value=json
debezium.format.key.schemas.enable=false
debezium.format.value.schemas.enable=false
debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector
debezium.source.offset.storage.file.filename=/tmp/offsets.dat
debezium.source.offset.flush.interval.ms=1000
debezium.source.database.hostname=lag-pg
debezium.source.database.port=5432
debezium.source.database.user=postgres
debezium.source.database.password=bench
debezium.source.database.dbname=tracks
debezium.source.topic.prefix=bench
debezium.source.plugin.name=pgoutput
debezium.source.slot.name=lag_slot
debezium.source.publication.autocreate.mode=filtered
debezium.source.table.include.list=public.play_log
quarkus.log.level=INFO
CONF
  if [ "$1" != "0" ]; then
    cat >> "$conf" <<CONF
debezium.source.heartbeat.interval.ms=$1
debezium.source.heartbeat.action.query=INSERT INTO cdc_heartbeat (ts) VALUES (now()) ON CONFLICT DO NOTHING
CONF
  fi
  docker run -d --name lag-dbz --network "$NET" \
    -v "$conf":/debezium/config/application.properties:ro \
    debezium/server:3.0 >/dev/null
}

P "CREATE TABLE IF NOT EXISTS cdc_heartbeat (ts timestamptz PRIMARY KEY)" >/dev/null
for hb in 0 5000; do
  start_dbz "$hb"
  sleep 90
  echo "hb=$hb lag=$(P "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) FROM pg_replication_slots WHERE slot_name='lag_slot'")"
done
