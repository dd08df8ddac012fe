#!/bin/sh
# One connector for each module; all modules share the database "academy".

echo '{
  "name": "academy-courses",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "academy",
    "database.server.name": "postgres",
    "schema.include.list": "academy",
    "table.include.list": "courses.course, courses.lesson, courses.badge, courses.outbox",
    "topic.prefix": "academy-courses-cdc"
  }
}' | http POST http://localhost:8083/connectors

echo '{
  "name": "academy-people",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "academy",
    "database.server.name": "postgres",
    "schema.include.list": "academy",
    "table.include.list": "people.learner, people.team, people.award, people.outbox",
    "topic.prefix": "academy-people-cdc"
  }
}' | http POST http://localhost:8083/connectors

echo '{
  "name": "academy-flows",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "academy",
    "database.server.name": "postgres",
    "schema.include.list": "academy",
    "table.include.list": "flows.definition, flows.run, flows.step",
    "topic.prefix": "academy-flows-cdc"
  }
}' | http POST http://localhost:8083/connectors
