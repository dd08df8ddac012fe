#!/bin/sh
# 실습: MySQL 타입이 싱크까지 그대로 가는지 확인한다 (소스 하나, JDBC 싱크 하나)
# 결론: 설정은 문제 없음. 시간이 9시간 어긋난 것은 조회하던 클라이언트의 time zone 때문이었다.

curl -s -X PUT http://localhost:8083/connectors/type-src/config -H 'Content-Type: application/json' -d '{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "database.hostname": "mysql", "database.port": "3306",
  "database.user": "root", "database.password": "root",
  "database.server.id": "10031",
  "topic.prefix": "lab",
  "database.include.list": "school",
  "table.include.list": "school.grade,school.lesson",
  "time.precision.mode": "connect",
  "decimal.handling.mode": "precise",
  "bigint.unsigned.handling.mode": "long",
  "include.schema.changes": "false",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "lab-schema-history"
}'

curl -s -X PUT http://localhost:8083/connectors/type-dst/config -H 'Content-Type: application/json' -d '{
  "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
  "topics": "lab.school.grade,lab.school.lesson",
  "connection.url": "jdbc:mysql://mysql:3306/school_copy?user=root&password=root",
  "insert.mode": "upsert",
  "pk.mode": "record_key",
  "delete.enabled": "true",
  "auto.create": "true",
  "auto.evolve": "false",
  "db.timezone": "UTC",
  "transforms": "flat,name",
  "transforms.flat.type": "io.debezium.transforms.ExtractNewRecordState",
  "transforms.name.type": "org.apache.kafka.connect.transforms.RegexRouter",
  "transforms.name.regex": "lab[.]school[.](.*)",
  "transforms.name.replacement": "$1"
}'
