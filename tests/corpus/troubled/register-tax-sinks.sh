#!/bin/sh
# "PK mode for table 'qa_region_rules' is RECORD_KEY with configured PK fields [id], but record key schema
#  does not contain field: id" -- the other two tables had been written by then.
#
# Tables at the source (Debezium MySQL, topics are called as the tables, Avro keys):
#   CREATE TABLE qa_rates         (id BIGINT PRIMARY KEY, rate DECIMAL(9,4), valid_from DATE);
#   CREATE TABLE qa_categories    (id BIGINT PRIMARY KEY, title VARCHAR(80));
#   CREATE TABLE qa_region_rules  (region CHAR(4), rule_no INT, formula TEXT, PRIMARY KEY (region, rule_no));

curl -i -X PUT -H 'Content-Type: application/json' http://localhost:8083/connectors/tax-sink/config -d '
{
  "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
  "tasks.max": "1",
  "topics": "qa_rates,qa_categories,qa_region_rules",
  "connection.url": "jdbc:mysql://mysql:3306/taxcopy",
  "connection.user": "root",
  "connection.password": "secret",
  "key.converter": "io.confluent.connect.avro.AvroConverter",
  "key.converter.schema.registry.url": "http://schema-registry:8081",
  "value.converter": "io.confluent.connect.avro.AvroConverter",
  "value.converter.schema.registry.url": "http://schema-registry:8081",
  "transforms": "unwrap",
  "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
  "auto.create": "true",
  "auto.evolve": "true",
  "insert.mode": "upsert",
  "pk.mode": "record_key",
  "pk.fields": "id"
}'
