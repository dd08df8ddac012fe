//! End to end: a row in the outbox becomes an Avro message. Needs `docker compose up`.

use serde_json::json;
use std::time::Duration;

const CONNECT_URL: &str = "http://localhost:8083";
const TOPIC: &str = "e2e.shop.basket_event.local.v1";

#[tokio::test]
#[ignore]
async fn basket_event_reaches_the_topic() {
    let http = reqwest::Client::new();
    let _ = http
        .delete(format!("{}/connectors/basket-e2e", CONNECT_URL))
        .send()
        .await;

    let connector_config = json!({
        "name": "basket-e2e",
        "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": "postgres",
            "database.port": "5432",
            "database.user": "basket_api",
            "database.password": "basket_api",
            "database.dbname": "basket_api",
            "topic.prefix": "basket_api_e2e",
            "plugin.name": "pgoutput",
            "slot.name": "basket_e2e_slot",
            "publication.name": "basket_e2e_pub",
            "table.include.list": "public.shop_basket_outbox",
            "tombstones.on.delete": "false",
            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.table.field.event.id": "event_id",
            "transforms.outbox.table.field.event.key": "aggregate_id",
            "transforms.outbox.table.field.event.type": "event_type",
            "transforms.outbox.table.field.event.payload": "event_data",
            "transforms.outbox.route.by.field": "aggregate_type",
            "transforms.outbox.route.topic.replacement": TOPIC,
            "transforms.outbox.table.fields.additional.placement":
                "event_id:envelope,event_type:envelope,event_date:envelope,sequence_number:envelope",
            "transforms.outbox.table.expand.json.payload": "true",
            "key.converter": "org.apache.kafka.connect.storage.StringConverter",
            "value.converter": "io.confluent.connect.avro.AvroConverter",
            "value.converter.schema.registry.url": "http://schema-registry:8081"
        }
    });

    let resp = http
        .post(format!("{}/connectors", CONNECT_URL))
        .json(&connector_config)
        .send()
        .await
        .expect("POST /connectors");
    assert!(resp.status().is_success(), "connector refused: {}", resp.status());

    tokio::time::sleep(Duration::from_secs(8)).await;
    let subject: serde_json::Value = http
        .get(format!("http://localhost:8081/subjects/{}-value/versions/latest", TOPIC))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert!(subject["schema"].as_str().unwrap().contains("sequence_number"));
}
