# 增量快照：向信号主题发一条消息
# {"id":"1","type":"execute-snapshot","data":{"data-collections":["purse-db.balances"],"type":"incremental"}}
# 新建或更新
curl -X PUT \
  -H "Content-Type: application/json" \
  http://localhost:8083/connectors/purse-source/config \
  -d '{
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "purse-mysql.internal.example.org",
    "database.port": "3306",
    "database.user": "debezium",
    "database.password": "'"$PURSE_PASSWORD"'",
    "database.server.id": "840221",
    "database.ssl.mode": "disabled",
    "connect.timeout.ms": "60000",
    "topic.prefix": "purse",
    "database.include.list": "purse-db",
    "schema.history.internal.kafka.bootstrap.servers": "kafka-0.kafka:9092,kafka-1.kafka:9092",
    "schema.history.internal.kafka.topic": "ddl.purse",
    "decimal.handling.mode": "string",
    "signal.kafka.topic": "purse-signals",
    "signal.kafka.bootstrap.servers": "kafka-0.kafka:9092,kafka-1.kafka:9092",
    "incremental.snapshot.chunk.size": "1024",
    "snapshot.mode": "no_data",
    "signal.enabled.channels": "source,kafka",
    "table.include.list": "purse-db.balances,purse-db.balance-moves",
    "signal.data.collection": "purse-db.dbz_signals",
    "snapshot.locking.mode": "none",
    "errors.tolerance": "all",
    "errors.log.enable": "true",
    "errors.deadletterqueue.topic.name": "dlq.purse",
    "errors.deadletterqueue.context.headers.enable": "true",
    "producer.override.max.block.ms": "60000",
    "producer.override.delivery.timeout.ms": "300000"
  }'
