"""ECS services of the data plane (Pulumi)."""

import pulumi


def deploy(make_service, topics, shard_db_endpoint, shard_db_secret_arn):
    # the relay needs the topic of the data plane
    events_topic = topics.get("claims-data-plane-topic")
    if not events_topic:
        raise ValueError("topic 'claims-data-plane-topic' must exist")

    relay = make_service(
        "debezium-server",
        command=[],
        image_override="debezium/server:3.6",
        enable_secrets_sidecar=False,
        extra_env=[
            {"name": "DEBEZIUM_SINK_TYPE", "value": "sns"},
            {
                "name": "DEBEZIUM_SINK_SNS_TOPIC_ARN",
                "value": events_topic.arn,
            },
            {
                "name": "DEBEZIUM_SOURCE_DATABASE_HOSTNAME",
                "value": pulumi.Output.all(shard_db_endpoint).apply(
                    lambda args: args[0].split(":")[0]
                ),
            },
            {
                "name": "DEBEZIUM_SOURCE_CONNECTOR_CLASS",
                "value": "io.debezium.connector.postgresql.PostgresConnector",
            },
            {
                "name": "DEBEZIUM_SOURCE_DATABASE_DBNAME",
                "value": "claims_shard",
            },
            {
                "name": "DEBEZIUM_SOURCE_TOPIC_PREFIX",
                "value": "claims_shard_events",
            },
            {
                "name": "DEBEZIUM_SOURCE_PLUGIN_NAME",
                "value": "pgoutput",
            },
            {
                "name": "DEBEZIUM_SOURCE_OFFSET_STORAGE",
                "value": "io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore",
            },
            {
                "name": "DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_URL",
                "value": pulumi.Output.all(shard_db_endpoint).apply(
                    lambda args: f"jdbc:postgresql://{args[0]}/claims_shard"
                ),
            },
        ],
        secrets=[
            {
                "name": "DEBEZIUM_SOURCE_DATABASE_USER",
                "valueFrom": pulumi.Output.concat(shard_db_secret_arn, ":username::"),
            },
            {
                "name": "DEBEZIUM_SOURCE_DATABASE_PASSWORD",
                "valueFrom": pulumi.Output.concat(shard_db_secret_arn, ":password::"),
            },
            {
                "name": "DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_USER",
                "valueFrom": pulumi.Output.concat(shard_db_secret_arn, ":username::"),
            },
            {
                "name": "DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_PASSWORD",
                "valueFrom": pulumi.Output.concat(shard_db_secret_arn, ":password::"),
            },
        ],
    )
    return {"relay": relay}
