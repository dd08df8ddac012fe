resource "aws_ecs_task_definition" "cdc" {
  count                    = var.msk_enabled ? 1 : 0
  family                   = "${var.prefix}-cdc"
  requires_compatibilities = ["FARGATE"]
  network_mode             = "awsvpc"
  cpu                      = 512
  memory                   = 1024

  container_definitions = jsonencode([{
    name      = "debezium"
    image     = var.debezium_image # con 3.1.1 el connector ya no se cae
    essential = true

    environment = [
      # ── MongoDB ──
      { name = "DEBEZIUM_SOURCE_CONNECTOR_CLASS", value = "io.debezium.connector.mongodb.MongoDbConnector" },
      { name = "DEBEZIUM_SOURCE_TOPIC_PREFIX", value = "gastos" },
      { name = "DEBEZIUM_SOURCE_MONGODB_DATABASE_INCLUDE_LIST", value = "gastos_dev" },
      { name = "DEBEZIUM_SOURCE_MONGODB_COLLECTION_INCLUDE_LIST",
      value = "gastos_dev.tickets,gastos_dev.facturas,gastos_dev.tareas" },
      # El connector hace snapshot de TODAS las colecciones aunque la lista
      # esté puesta, así que se excluyen las del chat a mano.
      { name = "DEBEZIUM_SOURCE_MONGODB_COLLECTION_EXCLUDE_LIST",
      value = "gastos_dev.chat_turnos,gastos_dev.chat_sesiones" },
      { name = "DEBEZIUM_SOURCE_CAPTURE_MODE", value = "change_streams_update_full" },
      { name = "DEBEZIUM_SOURCE_SNAPSHOT_MODE", value = "initial" },

      # ── offsets ──
      # En memoria: cada reinicio repite el snapshot (unos segundos).
      # Pasarlos a Kafka es la próxima mejora.
      { name = "JAVA_OPTS", value = "-Ddebezium.source.offset.storage=org.apache.kafka.connect.storage.MemoryOffsetBackingStore" },
      { name = "DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS", value = "10000" },

      # ── SMT ──
      { name = "DEBEZIUM_TRANSFORMS", value = "unwrap" },
      { name = "DEBEZIUM_TRANSFORMS_UNWRAP_TYPE", value = "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState" },
      { name = "DEBEZIUM_TRANSFORMS_UNWRAP_ADD_FIELDS", value = "op,source.ts_ms" },
      { name = "DEBEZIUM_TRANSFORMS_UNWRAP_DELETE_TOMBSTONE_HANDLING_MODE", value = "rewrite" },
      { name = "DEBEZIUM_TRANSFORMS_UNWRAP_ARRAY_ENCODING", value = "document" },

      # ── MSK con IAM ──
      { name = "DEBEZIUM_SINK_TYPE", value = "kafka" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_BOOTSTRAP_SERVERS", value = local.msk_bootstrap },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_SECURITY_PROTOCOL", value = "SASL_SSL" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_MECHANISM", value = "AWS_MSK_IAM" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_JAAS_CONFIG", value = "software.amazon.msk.auth.iam.IAMLoginModule required;" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_SASL_CLIENT_CALLBACK_HANDLER_CLASS", value = "software.amazon.msk.auth.iam.IAMClientCallbackHandler" },
      # sin serializers el productor no arranca; bytes de punta a punta
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_KEY_SERIALIZER", value = "org.apache.kafka.common.serialization.ByteArraySerializer" },
      { name = "DEBEZIUM_SINK_KAFKA_PRODUCER_VALUE_SERIALIZER", value = "org.apache.kafka.common.serialization.ByteArraySerializer" },
      { name = "DEBEZIUM_FORMAT_VALUE", value = "jsonbytearray" },
      { name = "DEBEZIUM_FORMAT_KEY", value = "jsonbytearray" },
      { name = "DEBEZIUM_FORMAT_VALUE_SCHEMAS_ENABLE", value = "false" },
      { name = "DEBEZIUM_FORMAT_KEY_SCHEMAS_ENABLE", value = "false" },

      { name = "QUARKUS_LOG_LEVEL", value = "INFO" },
    ]

    secrets = [
      { name = "DEBEZIUM_SOURCE_MONGODB_CONNECTION_STRING", valueFrom = aws_secretsmanager_secret.mongodb_uri.arn },
    ]
  }])
}
