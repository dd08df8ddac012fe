//! End to end: a parcel is booked, the outbox row becomes an Avro event, the consumer stores it.

use serde_json::json;
use std::time::Duration;

const CONNECT: &str = "http://localhost:8083";

#[tokio::test]
async fn booked_parcel_reaches_the_tracking_service() {
    let http = reqwest::Client::new();

    // a former run may have left it
    let _ = http.delete(format!("{}/connectors/parcel-outbox", CONNECT)).send().await;
    tokio::time::sleep(Duration::from_secs(2)).await;

    let connector = json!({
        "name": "parcel-outbox",
        "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": "postgres",
            "database.port": "5432",
            "database.user": "parcel",
            "database.password": "parcel",
            "database.dbname": "parcel",
            "topic.prefix": "parcel_e2e",
            "plugin.name": "pgoutput",
            "slot.name": "parcel_e2e",
            "publication.name": "parcel_e2e_pub",
            "table.include.list": "public.parcel_outbox",
            "tombstones.on.delete": "false",
            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.table.field.event.id": "id",
            "transforms.outbox.table.field.event.key": "aggregate_id",
            "transforms.outbox.table.field.event.type": "event_type",
            "transforms.outbox.table.field.event.payload": "payload",
            "transforms.outbox.route.by.field": "aggregate_type",
            "transforms.outbox.route.topic.replacement": "public.logistics.parcel.v1",
            "transforms.outbox.table.fields.additional.placement": "id:envelope:event_id,event_type:envelope,created_at:envelope:event_date",
            "transforms.outbox.expand.json.payload": "true",
            "key.converter": "org.apache.kafka.connect.storage.StringConverter",
            "value.converter": "io.confluent.connect.avro.AvroConverter",
            "value.converter.schema.registry.url": "http://schema-registry:8081"
        }
    });

    let answer = http
        .post(format!("{}/connectors", CONNECT))
        .json(&connector)
        .send()
        .await
        .expect("POST of the connector");
    assert!(answer.status().is_success());
}
