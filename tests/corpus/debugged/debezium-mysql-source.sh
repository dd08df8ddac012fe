#!/bin/bash
set -e
source ../../scripts/utils.sh
# CI: fails now and then while the brokers are still electing leaders
docker compose -f docker-compose.yml up -d --quiet-pull
../../scripts/wait-for-connect.sh

log "Creating Debezium MySQL source connector"
playground connector create-or-update --connector debezium-mysql-source << 'JSON'
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": "1",
  "database.hostname": "mysql",
  "database.port": "3306",
  "database.user": "debezium",
  "database.password": "dbz",
  "database.server.id": "223344",
  "database.include.list": "teams",
  "topic.prefix": "server1",
  "schema.history.internal.kafka.bootstrap.servers": "broker:9092",
  "schema.history.internal.kafka.topic": "schema-changes.teams",
  "transforms": "RemoveDots",
  "transforms.RemoveDots.type": "org.apache.kafka.connect.transforms.RegexRouter",
  "transforms.RemoveDots.regex": "(.*)\\.(.*)\\.(.*)",
  "transforms.RemoveDots.replacement": "$1_$2_$3"
}
JSON

log "Adding an element to the table"
docker exec mysql mysql --user=root --password=password --database=teams -e "INSERT INTO team (name, email) VALUES ('another', 'another@example.org');"

log "Verifying topic server1_teams_team"
playground topic consume --topic server1_teams_team --min-expected-messages 2 --timeout 60
