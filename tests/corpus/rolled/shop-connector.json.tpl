{
  "name": "store-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "database.hostname": "${db_hostname}",
    "database.port": "5432",
    "database.user": "${db_user}",
    "database.password": "${db_password}",
    "database.dbname" : "${db_name}",
    "database.server.name": "${db_name}",
    "table.include.list": "${include_tables}",
    "database.history.kafka.bootstrap.servers":"${brokers}",
    "database.history.kafka.topic": "${topic_of_history}",
    "database.history.producer.security.protocol": "SSL"
    "slot.name" : "${replication_slot}"
  }
}
