use anyhow::{bail, Context, Result};
use reqwest::StatusCode;
use serde_json::{json, Value};

use crate::settings::Settings;

/// Talks to the REST interface of Kafka Connect.
pub struct Connect {
    http: reqwest::Client,
    base: String,
}

impl Connect {
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self {
            http: reqwest::Client::new(),
            base: settings.connect_url.trim_end_matches('/').to_owned(),
        }
    }

    /// Creates the source or brings its configuration up to date.
    pub async fn put_source(&self, settings: &Settings) -> Result<()> {
        let url = format!("{}/connectors/{}/config", self.base, settings.connector);
        let response = self
            .http
            .put(&url)
            .json(&source_config(settings))
            .send()
            .await
            .with_context(|| format!("no answer from `{url}`"))?;
        let status = response.status();
        if !status.is_success() {
            bail!("{url}: {status}: {}", response.text().await.unwrap_or_default());
        }
        Ok(())
    }

    pub async fn delete(&self, name: &str) -> Result<()> {
        let url = format!("{}/connectors/{name}", self.base);
        let response = self.http.delete(&url).send().await?;
        match response.status() {
            StatusCode::NOT_FOUND => Ok(()),
            status if status.is_success() => Ok(()),
            status => bail!("{url}: {status}"),
        }
    }
}

fn source_config(settings: &Settings) -> Value {
    json!({
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": &settings.pg_host,
        "database.port": settings.pg_port.to_string(),
        "database.user": &settings.pg_user,
        "database.password": &settings.pg_password,
        "database.dbname": &settings.pg_database,
        "topic.prefix": &settings.prefix,
        "schema.include.list": "public",
        "table.include.list": "public.subscribers",
        "plugin.name": "pgoutput",
        "slot.name": &settings.slot,
        "slot.drop.on.stop": "true",
        "publication.name": &settings.publication,
        "publication.autocreate.mode": "filtered",
        "snapshot.mode": "no_data",
        "tombstones.on.delete": "false",
        "include.schema.changes": "false",
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "key.converter.schemas.enable": "false",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "false"
    })
}
