package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
)

// registerSource starts the capture of the recipe tables.
func registerSource(ctx context.Context, name, slot string) error {
	body := fmt.Sprintf(`{
  "name": %q,
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "lab-postgres",
    "database.port": "5432",
    "database.user": "lab",
    "database.password": "lab",
    "database.dbname": "lab",
    "topic.prefix": "lookup",
    "plugin.name": "pgoutput",
    "slot.name": %q,
    "publication.name": "lookup_pub",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public.recipes,public.posts,public.cooks",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "tombstones.on.delete": "true",
    "heartbeat.interval.ms": "10000"
  }
}`, name, slot)
	return post(ctx, body)
}

// registerSink writes flat rows to <table><suffix>, for example recipes_v1.
func registerSink(ctx context.Context, name, suffix string) error {
	body := fmt.Sprintf(`{
  "name": %q,
  "config": {
    "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
    "tasks.max": "1",
    "topics.regex": "lookup\\.public\\.(recipes|posts|cooks)",
    "connection.url": "http://lab-elasticsearch:9200",
    "type.name": "_doc",
    "key.ignore": "false",
    "schema.ignore": "true",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "behavior.on.null.values": "delete",
    "behavior.on.malformed.documents": "warn",
    "write.method": "upsert",
    "max.retries": "10",
    "transforms": "unwrap,docId,index",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.drop.tombstones": "false",
    "transforms.docId.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
    "transforms.docId.field": "id",
    "transforms.index.type": "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.index.regex": "lookup\\.public\\.(.*)",
    "transforms.index.replacement": "$1%s",
    "errors.tolerance": "all"
  }
}`, name, suffix)
	return post(ctx, body)
}

func post(ctx context.Context, body string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost:8083/connectors", bytes.NewBufferString(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("connect answered %s", resp.Status)
	}
	return nil
}
