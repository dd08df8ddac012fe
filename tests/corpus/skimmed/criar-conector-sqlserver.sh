#!/bin/bash
# Cria o conector Debezium: SQL Server -> Kafka

CONNECT_URL="http://localhost:8084/connectors"

echo "Criando o conector..."

curl -s -X POST -H "Content-Type: application/json" \
  --data '{
    "name": "estoque-sqlserver",
    "config": {
      "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
      "tasks.max": "1",
      "database.hostname": "sqlserver",
      "database.port": "1433",
      "database.user": "sa",
      "database.password": "Password123",
      "database.names": "estoque",
      "database.encrypt": "false",
      "database.history.kafka.bootstrap.servers": "kafka:29092",
      "database.history.kafka.topic": "ddl.estoque",

      "topic.prefix": "estoquecdc",
      "table.include.list": "dbo.produtos,dbo.depositos,dbo.movimentos",

      "snapshot.mode": "initial",
      "poll.interval.ms": "1000"
    }
  }' \
  $CONNECT_URL | jq .

echo "Pronto (veja no Kafka UI)."
