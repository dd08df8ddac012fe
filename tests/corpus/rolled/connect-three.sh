echo '{
  "name": "coursebase-library",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "coursebase",
    "database.server.name": "postgres",
    "schema.include.list": "coursebase",
    "table.include.list": "library.topic, library.course, library.diploma, library.outbox",
    "topic.prefix": "coursebase-library-cdc"
  }
}' | http POST http://localhost:8083/connectors

echo '{
  "name": "coursebase-learner",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "coursebase",
    "database.server.name": "postgres",
    "schema.include.list": "coursebase",
    "table.include.list": "learner.person, learner.class, learner.path, learner.badge, learner.outbox",
    "topic.prefix": "coursebase-learner-cdc"
  }
}' | http POST http://localhost:8083/connectors

echo '{
  "name": "coursebase-process",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "coursebase",
    "database.server.name": "postgres",
    "schema.include.list": "coursebase",
    "table.include.list": "process.release, process.learner, process.run, process.step",
    "topic.prefix": "coursebase-process-cdc"
  }
}' | http POST http://localhost:8083/connectors

