#!/bin/bash
# Cadastre: supplemental logging for the whole database, then the connector with the documents.
set -eu
sqlplus -S / as sysdba <<'SQL'
ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;
ALTER DATABASE ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;
SQL

curl -fsS -X PUT "$CONNECT/connectors/cadastre/config" \
  -H "Content-Type: application/json" --data-binary @- <<EOT
{
  "connector.class": "io.debezium.connector.oracle.OracleConnector",
  "database.url": "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=cad-ora)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=CADCDB)))",
  "database.user": "c##cadcdc",
  "database.password": "\${file:/etc/kafka/secrets/cadastre.properties:password}",
  "database.dbname": "CADCDB",
  "database.pdb.name": "CADPDB",
  "topic.prefix": "cadastre",
  "table.include.list": "CAD\\\\.(PLOT|DEED|DEED_SCAN)",
  "lob.enabled": "true",
  "unavailable.value.placeholder": "__unchanged",
  "log.mining.strategy": "online_catalog",
  "schema.history.internal.kafka.bootstrap.servers": "${BROKERS:-kafka:9092}",
  "schema.history.internal.kafka.topic": "cadastre-history"
}
EOT
