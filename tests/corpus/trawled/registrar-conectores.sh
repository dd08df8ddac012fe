#!/bin/sh
# Registra um conector por servico. DRY_RUN=1 so imprime.
set -eu

CONNECT_URL="${CONNECT_URL:-http://connect:8083}"
# servico:banco
CONECTORES="reservas:reservas_db cobranca:cobranca_db avisos:avisos_db"
senha="${CDC_SENHA:?defina CDC_SENHA}"

config() {
  # heredoc entre aspas: ${routedByValue} chega literal ao Debezium
  sed -e "s/__SERVICO__/$1/g" -e "s/__BANCO__/$2/g" -e "s/__SENHA__/$senha/g" <<'EOF' | tr -d '\n'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "postgres",
  "database.port": "5432",
  "database.user": "__BANCO__",
  "database.password": "__SENHA__",
  "database.dbname": "__BANCO__",
  "topic.prefix": "__SERVICO__",
  "plugin.name": "pgoutput",
  "slot.name": "saida___SERVICO__",
  "publication.name": "saida___SERVICO___pub",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "public.outbox",
  "heartbeat.interval.ms": "15000",
  "snapshot.mode": "when_needed",
  "tombstones.on.delete": "false",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "aggregateid",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.route.by.field": "topic",
  "transforms.outbox.route.topic.replacement": "${routedByValue}",
  "transforms.outbox.table.fields.additional.placement": "type:header:tipoEvento",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
EOF
  echo
}

if [ "${DRY_RUN:-}" = 1 ]; then
  for c in $CONECTORES; do config "${c%%:*}" "${c##*:}"; done
  exit 0
fi

for i in $(seq 90); do
  curl -fsS -o /dev/null "$CONNECT_URL/connectors" 2>/dev/null && break
  [ "$i" -lt 90 ] || { echo "Connect nao respondeu" >&2; exit 1; }
  sleep 2
done

for c in $CONECTORES; do
  servico="${c%%:*}"
  config "$servico" "${c##*:}" |
    curl -fsS -o /dev/null -X PUT "$CONNECT_URL/connectors/saida-$servico/config" \
      -H 'Content-Type: application/json' --data-binary @-
done
