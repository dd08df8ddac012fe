//! Prints a Kafka Connect skeleton for the append-only `event_log` table.
//! Everything that belongs to a deployment stays a `${NEWS_CDC_...}` placeholder.

use anyhow::Result;
use serde::Serialize;

const CONNECTOR_NAME: &str = "news-event-log-cdc";
const TRANSFORM_ALIAS: &str = "outbox";

pub(crate) fn run() -> Result<()> {
    println!("{}", serde_json::to_string_pretty(&Connector::new())?);
    Ok(())
}

#[derive(Debug, Serialize)]
struct Connector {
    name: &'static str,
    config: ConnectorConfig,
}

impl Connector {
    fn new() -> Self {
        Self {
            name: CONNECTOR_NAME,
            config: ConnectorConfig::new(),
        }
    }
}

#[derive(Debug, Serialize)]
struct ConnectorConfig {
    name: &'static str,
    #[serde(rename = "connector.class")]
    connector_class: &'static str,
    #[serde(rename = "plugin.name")]
    plugin_name: &'static str,
    #[serde(rename = "topic.prefix")]
    topic_prefix: &'static str,
    #[serde(rename = "database.hostname")]
    database_hostname: &'static str,
    #[serde(rename = "database.port")]
    database_port: &'static str,
    #[serde(rename = "database.user")]
    database_user: &'static str,
    #[serde(rename = "database.password")]
    database_password: &'static str,
    #[serde(rename = "database.dbname")]
    database_dbname: &'static str,
    #[serde(rename = "slot.name")]
    slot_name: &'static str,
    #[serde(rename = "publication.name")]
    publication_name: &'static str,
    #[serde(rename = "publication.autocreate.mode")]
    publication_autocreate_mode: &'static str,
    #[serde(rename = "snapshot.mode")]
    snapshot_mode: &'static str,
    #[serde(rename = "table.include.list")]
    table_include_list: &'static str,
    transforms: &'static str,
    #[serde(rename = "transforms.outbox.type")]
    transforms_outbox_type: &'static str,
    #[serde(rename = "transforms.outbox.table.field.event.id")]
    transforms_outbox_table_field_event_id: &'static str,
    #[serde(rename = "transforms.outbox.table.field.event.key")]
    transforms_outbox_table_field_event_key: &'static str,
    #[serde(rename = "transforms.outbox.table.field.event.payload")]
    transforms_outbox_table_field_event_payload: &'static str,
    #[serde(rename = "transforms.outbox.route.by.field")]
    transforms_outbox_route_by_field: &'static str,
    #[serde(rename = "transforms.outbox.route.topic.regex")]
    transforms_outbox_route_topic_regex: &'static str,
    #[serde(rename = "transforms.outbox.route.topic.replacement")]
    transforms_outbox_route_topic_replacement: &'static str,
    #[serde(rename = "transforms.outbox.table.op.invalid.behavior")]
    transforms_outbox_table_op_invalid_behavior: &'static str,
    #[serde(rename = "transforms.outbox.table.field.additional.missing")]
    transforms_outbox_table_field_additional_missing: &'static str,
    #[serde(rename = "transforms.outbox.table.fields.additional.placement")]
    transforms_outbox_table_fields_additional_placement: &'static str,
}

impl ConnectorConfig {
    fn new() -> Self {
        Self {
            name: CONNECTOR_NAME,
            connector_class: "io.debezium.connector.postgresql.PostgresConnector",
            plugin_name: "pgoutput",
            topic_prefix: "news",
            database_hostname: "${NEWS_CDC_DB_HOST}",
            database_port: "${NEWS_CDC_DB_PORT}",
            database_user: "${NEWS_CDC_DB_USER}",
            database_password: "${NEWS_CDC_DB_PASSWORD}",
            database_dbname: "${NEWS_CDC_DB_NAME}",
            slot_name: "${NEWS_CDC_SLOT_NAME}",
            publication_name: "${NEWS_CDC_PUBLICATION_NAME}",
            publication_autocreate_mode: "disabled",
            snapshot_mode: "no_data",
            table_include_list: "public.event_log",
            transforms: TRANSFORM_ALIAS,
            transforms_outbox_type: "io.debezium.transforms.outbox.EventRouter",
            transforms_outbox_table_field_event_id: "event_id",
            transforms_outbox_table_field_event_key: "event_id",
            transforms_outbox_table_field_event_payload: "payload",
            transforms_outbox_route_by_field: "topic",
            transforms_outbox_route_topic_regex: "(.*)",
            transforms_outbox_route_topic_replacement: "$1",
            transforms_outbox_table_op_invalid_behavior: "fatal",
            transforms_outbox_table_field_additional_missing: "error",
            transforms_outbox_table_fields_additional_placement:
                "org_id:header:orgId,contract_version:header:schemaVersion,schema_hash:header:schemaHash",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn database_values_stay_placeholders() -> Result<()> {
        let value = serde_json::to_value(Connector::new())?;
        for key in ["database.hostname", "database.user", "slot.name"] {
            assert!(value["config"][key].as_str().unwrap_or_default().starts_with("${NEWS_CDC_"));
        }
        Ok(())
    }
}
