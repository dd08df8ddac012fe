#!/bin/bash
# Conectores do laboratorio

# PostgreSQL
# - topic.prefix: prefixo dos topicos
# - snapshot.mode: leitura inicial a cada partida
curl -X POST -H "Content-Type: application/json" --data '{
  "name": "frota-pg",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "user",
    "database.password": "pass",
    "database.dbname": "frota",
    "database.server.name": "frota_pg",
    "slot.name": "frota",
    "plugin.name": "pgoutput",
    "topic.prefix": "fpg",
    "snapshot.mode": "always"
  }
}' http://localhost:8083/connectors

# MySQL
# - snapshot.mode: so a estrutura, sem os dados
# - schema.history.*: historico da estrutura
curl -X POST -H "Content-Type: application/json" --data '{
  "name": "frota-mysql",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "mysql",
    "database.port": "3306",
    "database.user": "root",
    "database.password": "pass",
    "database.server.name": "frota_mysql",
    "database.include.list": "frota",
    "topic.prefix": "fmy",
    "snapshot.mode": "schema_only",
    "database.server.id": "2044",
    "schema.history.internal.kafka.topic": "frota_ddl",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
    "schema.history.internal.skip.unparseable.ddl": "true"
  }
}' http://localhost:8083/connectors
