package kr.example.dorm.cdc

import org.springframework.boot.context.properties.ConfigurationProperties

@ConfigurationProperties(prefix = "relay")
data class RelayProperties(
    val connectUrl: String,
    val connector: Connector,
    val source: Source,
    val ddl: Ddl,
    val outbox: Outbox
) {
    data class Connector(
        val name: String,
        val type: String = "io.debezium.connector.mysql.MySqlConnector",
        val tasks: Int = 1
    )

    data class Source(
        val host: String,
        val port: Int,
        val user: String,
        val password: String,
        val id: String,
        val logicalName: String,
        val schemas: String
    )

    data class Ddl(
        val brokers: String,
        val topic: String,
        val publish: Boolean
    )

    data class Outbox(
        val tables: String,
        val prefix: String,
        val idColumn: String,
        val keyColumn: String,
        val typeColumn: String,
        val bodyColumn: String,
        val routeColumn: String,
        val topic: String = "\${routedByValue}"
    )

    fun asConnectorConfig(): Map<String, Any> = mapOf(
        "connector.class" to connector.type,
        "tasks.max" to connector.tasks.toString(),

        "database.hostname" to source.host,
        "database.port" to source.port.toString(),
        "database.user" to source.user,
        "database.password" to source.password,
        "database.server.id" to source.id,
        "database.server.name" to source.logicalName,
        "database.include.list" to source.schemas,

        "table.include.list" to outbox.tables,
        "topic.prefix" to outbox.prefix,

        "database.history.kafka.bootstrap.servers" to ddl.brokers,
        "schema.history.internal.kafka.bootstrap.servers" to ddl.brokers,
        "schema.history.internal.kafka.topic" to ddl.topic,
        "include.schema.changes" to ddl.publish.toString(),

        "tombstones.on.delete" to "false",
        "transforms" to "outbox",
        "transforms.outbox.type" to "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.field.event.id" to outbox.idColumn,
        "transforms.outbox.table.field.event.payload" to outbox.bodyColumn,
        "transforms.outbox.table.field.event.type" to outbox.typeColumn,
        "transforms.outbox.table.field.event.key" to outbox.keyColumn,
        "transforms.outbox.route.by.field" to outbox.routeColumn,
        "transforms.outbox.route.topic.replacement" to outbox.topic
    )

    fun asRequest(): Map<String, Any> = mapOf("name" to connector.name, "config" to asConnectorConfig())
}
