"""Fargate services of the exchange stack (Pulumi)."""
import pulumi


def create_services(make_service, topics: dict, db_endpoint, db_secret_arn):
    events = topics.get("exchange-events")
    if not events:
        raise ValueError("the topic exchange-events has to be provisioned first")

    host = pulumi.Output.all(db_endpoint).apply(lambda a: a[0].split(":")[0])
    url = pulumi.Output.all(db_endpoint).apply(lambda a: f"jdbc:postgresql://{a[0]}/exchange")

    def secret(field):
        return pulumi.Output.concat(db_secret_arn, f":{field}::")

    relay = make_service(
        "change-relay",
        command=[],
        image_override="quay.io/debezium/server:3.6",
        extra_env=[
            {"name": "DEBEZIUM_SINK_TYPE", "value": "sns"},
            {"name": "DEBEZIUM_SINK_SNS_TOPIC_ARN", "value": events.arn},
            {"name": "DEBEZIUM_SOURCE_CONNECTOR_CLASS",
             "value": "io.debezium.connector.postgresql.PostgresConnector"},
            {"name": "DEBEZIUM_SOURCE_DATABASE_HOSTNAME", "value": host},
            {"name": "DEBEZIUM_SOURCE_DATABASE_DBNAME", "value": "exchange"},
            {"name": "DEBEZIUM_SOURCE_TOPIC_PREFIX", "value": "exchange_rows"},
            {"name": "DEBEZIUM_SOURCE_PLUGIN_NAME", "value": "pgoutput"},
            {"name": "DEBEZIUM_SOURCE_OFFSET_STORAGE",
             "value": "io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore"},
            {"name": "DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_URL", "value": url},
        ],
        secrets=[
            {"name": "DEBEZIUM_SOURCE_DATABASE_USER", "valueFrom": secret("username")},
            {"name": "DEBEZIUM_SOURCE_DATABASE_PASSWORD", "valueFrom": secret("password")},
            {"name": "DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_USER", "valueFrom": secret("username")},
            {"name": "DEBEZIUM_SOURCE_OFFSET_STORAGE_JDBC_PASSWORD", "valueFrom": secret("password")},
        ],
    )
    return {"change_relay": relay}
