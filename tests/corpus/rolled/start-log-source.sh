curl -X PUT \
  "http://$HOST_IP:8083/connectors/retail.invoice.dbzsrc.log/config" \
  -H 'Content-Type: application/json' \
  -H 'Accept: application/json' \
  -d '{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.server.name": "pgsql",
  "database.port": "5432",
  "database.user": "postgres",
  "database.password": "xyz789!",  
  "database.dbname": "postgres",
  "schema.include.list": "retail_invoice",
  "table.include.list": "retail_invoice.invoice_line,retail_invoice.invoice_head,retail_invoice.pay_card",
  "plugin.name": "pgoutput",
  "tombstones.on.delete": "false",
  "database.hostname": "pgsql",
  "topic.creation.default.replication.factor": 3,
  "topic.creation.default.partitions": 8,
  "topic.creation.default.cleanup.policy": "compact"
}'
