# config/initializers
if ENV["REGISTER_KAFKA_CONNECTOR"] == "true"
  config = {
    "name": "membership-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",
      "plugin.name": "pgoutput",
      "database.hostname": "db",
      "database.port": "5432",
      "database.user": "postgres",
      "database.password": "postgres",
      "database.dbname": "club_monolith_development",
      "database.server.name": "dbserver1",
      "schema.whitelist": "public",
      "table.whitelist": "public.membership_outboxes",
      "tombstones.on.delete": "false"
    }
  }

  # Registers the connector, once the connect service is up
  system("curl", "-i", "-X", "POST",
         "-H", "Accept:application/json", "-H", "Content-Type:application/json",
         "connect:8083/connectors/", "-d", config.to_json)
  # To see whether it worked:
  # - `curl -i -X GET -H "Accept:application/json" localhost:8083/connectors/membership-outbox-connector`
end
