//! Registers the relay of the `wagers` database with Kafka Connect 4.1 / Debezium 3.4.

use anyhow::{ensure, Result};
use serde_json::{json, Value};

pub struct Relay<'a> {
    pub connect_url: &'a str,
    pub db_host: &'a str,
    pub db_password: &'a str,
}

impl Relay<'_> {
    /// Events land in `wagers.<aggregate_type>`, the value is the payload column.
    fn config(&self) -> Value {
        json!({
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "tasks.max": "1",
            "plugin.name": "pgoutput",
            "database.hostname": self.db_host,
            "database.port": "5432",
            "database.user": "wagers_cdc",
            "database.password": self.db_password,
            "database.dbname": "wagers",
            "topic.prefix": "wagers",
            "slot.name": "wagers_relay",
            "publication.name": "wagers_relay",
            "publication.autocreate.mode": "filtered",
            "table.include.list": "public.outbox_events",
            "transforms": "unwrap",
            "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
            "transforms.unwrap.drop.tombstones": "true",
            "transforms.unwrap.delete.handling.mode": "drop",
            "transforms.unwrap.operation.header": "true",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.table.field.event.key": "aggregate_id",
            "transforms.outbox.route.by.field": "aggregate_type",
            "transforms.outbox.route.topic.replacement": "wagers.${routedByValue}",
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "key.converter.schemas.enable": "false",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter.schemas.enable": "false",
        })
    }

    pub async fn register(&self) -> Result<()> {
        let answer = reqwest::Client::new()
            .put(format!("{}/connectors/wagers-relay/config", self.connect_url))
            .json(&self.config())
            .send()
            .await?;
        ensure!(answer.status().is_success(), "connect said {}", answer.status());
        Ok(())
    }
}
