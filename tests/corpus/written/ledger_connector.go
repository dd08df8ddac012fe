package cdc

import "fmt"

// Config of the ledger's relay, filled from the environment.
type Config struct {
	Host, User, Password, Database string
	Port                           int
	Prefix, Slot, Publication      string
}

// connectorConfig is what is PUT to /connectors/ledger-outbox/config.
func connectorConfig(c Config) map[string]string {
	return map[string]string{
		"connector.class":             "io.debezium.connector.postgresql.PostgresConnector",
		"database.hostname":           c.Host,
		"database.port":               fmt.Sprintf("%d", c.Port),
		"database.user":               c.User,
		"database.password":           c.Password,
		"database.dbname":             c.Database,
		"database.server.name":        "ledger-db",
		"topic.prefix":                c.Prefix,
		"plugin.name":                 "pgoutput",
		"table.include.list":          "public.ldg_outbox",
		"slot.name":                   c.Slot,
		"publication.name":            c.Publication,
		"publication.autocreate.mode": "filtered",

		// every row names its topic itself
		"transforms":                                          "outbox",
		"transforms.outbox.type":                              "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.table.field.event.id":              "event_uuid",
		"transforms.outbox.table.field.event.key":             "partition_key",
		"transforms.outbox.table.field.event.type":            "event_type",
		"transforms.outbox.table.field.event.payload":         "payload",
		"transforms.outbox.table.fields.additional.placement": "topic:header,headers:header",
		"transforms.outbox.route.by.field":                    "topic",
		"transforms.outbox.route.topic.regex":                 "(.*)",
		"transforms.outbox.route.topic.replacement":           "$1",

		"key.converter":                  "org.apache.kafka.connect.storage.StringConverter",
		"value.converter":                "org.apache.kafka.connect.json.JsonConverter",
		"value.converter.schemas.enable": "false",

		// throughput
		"max.batch.size":        "1000",
		"max.queue.size":        "10000",
		"poll.interval.ms":      "500",
		"snapshot.mode":         "never",
		"snapshot.locking.mode": "none",

		// robustness
		"tombstones.on.delete":                   "false",
		"heartbeat.interval.ms":                  "30000",
		"heartbeat.topics.prefix":                "__debezium-heartbeat",
		"event.processing.failure.handling.mode": "skip",
		"decimal.handling.mode":                  "string",
		"binary.handling.mode":                   "base64",
	}
}
