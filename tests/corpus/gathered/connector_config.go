package relay

import "strconv"

const (
	TopicPrefix     = "tradepost.cdc"
	SlotName        = "tradepost_outbox_slot"
	PublicationName = "tradepost_outbox_pub"
)

// Source is the database the outbox lives in.
type Source struct {
	Host, Database, User, Password string
	Port                           int
}

// ConnectorConfig is the body of PUT /connectors/tradepost-outbox/config.
func ConnectorConfig(src Source) map[string]string {
	return map[string]string{
		"connector.class":             "io.debezium.connector.postgresql.PostgresConnector",
		"topic.prefix":                "tradepost.cdc",
		"database.hostname":           src.Host,
		"database.port":               strconv.Itoa(src.Port),
		"database.dbname":             src.Database,
		"database.user":               src.User,
		"database.password":           src.Password,
		"plugin.name":                 "pgoutput",
		"slot.name":                   SlotName,
		"slot.drop.on.stop":           "false",
		"publication.name":            PublicationName,
		"publication.autocreate.mode": "disabled",
		"table.include.list":          "public.outbox_events",
		"snapshot.mode":               "initial",
		"heartbeat.interval.ms":       "10000",

		"predicates":                       "IsOutbox",
		"predicates.IsOutbox.type":         "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
		"predicates.IsOutbox.pattern":      `^tradepost\.cdc\.public\.outbox_events$`,
		"transforms":                       "outbox",
		"transforms.outbox.type":           "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.predicate":      "IsOutbox",
		"transforms.outbox.route.by.field": "topic",
		"transforms.outbox.route.topic.regex":           "(?<routedByValue>.*)",
		"transforms.outbox.route.topic.replacement":     "${routedByValue}",
		"transforms.outbox.table.field.event.id":        "id",
		"transforms.outbox.table.field.event.key":       "partition_key",
		"transforms.outbox.table.field.event.payload":   "message",
		"transforms.outbox.table.field.event.timestamp": "occurred_at",
		"transforms.outbox.table.expand.json.payload":   "true",
		"transforms.outbox.table.op.invalid.behavior":   "fatal",

		"key.converter":                  "org.apache.kafka.connect.storage.StringConverter",
		"value.converter":                "org.apache.kafka.connect.json.JsonConverter",
		"value.converter.schemas.enable": "false",
	}
}
