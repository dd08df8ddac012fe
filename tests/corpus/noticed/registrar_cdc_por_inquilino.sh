#!/bin/sh
# ─── Etapa 1: extração (CDC) ─────────────────────────────────────────────
# Cria no Kafka Connect um conector Debezium para cada inquilino; a lista vem de
# config/inquilinos.yml e as tabelas de config/tabelas.yml.
#
# Saída: tópicos `<inquilino>.public.<tabela>` com o envelope em JSON, sem schema.
# O slot vale para a INSTÂNCIA inteira do postgres, por isso o nome do slot
# leva o inquilino: dois conectores não podem dividir o mesmo.
set -e

echo "esperando o Kafka Connect..."
until curl -sf http://connect:8083/connectors >/dev/null; do sleep 3; done

INQUILINOS=$(grep -E '^[[:space:]]*-[[:space:]]*id:' /config/inquilinos.yml | awk '{print $NF}')
TABELAS=$(grep -E '^[[:space:]]*-[[:space:]]*name:' /config/tabelas.yml \
         | awk '{print "public."$NF}' | tr '\n' ',' | sed 's/,$//')

for i in $INQUILINOS; do
  echo "conector extrai-${i} (tabelas: ${TABELAS})"
  curl -sf -X PUT -H 'Content-Type: application/json' \
    "http://connect:8083/connectors/extrai-${i}/config" -d @- <<EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "inquilinos-db",
  "database.port": "5432",
  "database.user": "postgres",
  "database.password": "inquilinos",
  "database.dbname": "${i}",
  "topic.prefix": "${i}",
  "slot.name": "extrai_${i}",
  "publication.name": "pub_${i}",
  "plugin.name": "pgoutput",
  "snapshot.mode": "initial",
  "table.include.list": "${TABELAS}",
  "decimal.handling.mode": "double",
  "tombstones.on.delete": "false",
  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "false",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
EOF
  echo ""
done

echo "conectores criados."
