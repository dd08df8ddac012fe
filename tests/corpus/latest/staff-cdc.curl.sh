curl -X POST http://localhost:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
        "name": "debezium-staff",
        "config": {
          "connector.class": "io.debezium.connector.postgresql.PostgresConnector",

          "database.hostname": "host.docker.internal",
          "database.port": "5432",
          "database.user": "staff-user",
          "database.password": "Kd93!vmQz2@",
          "database.dbname": "staff",

          "topic.prefix": "staff",

          "plugin.name": "pgoutput",
          "slot.name": "staff_slot",

          "publication.autocreate.mode": "all_tables",

          "schema.include.list": "hr",

          "max.batch.size": "8192",
          "max.queue.size": "8192",

          "snapshot.mode": "initial"
        }
      }
'

curl -X GET http://localhost:8083/connectors/debezium-staff/status
