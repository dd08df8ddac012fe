package relay

import (
	"strconv"
	"strings"
)

const (
	ConnectorName   = "auction-outbox"
	SlotName        = "auction_outbox_slot"
	PublicationName = "auction_outbox_pub"
)

// Source is the database behind the relay; user and password belong to the replication role, not to the app.
type Source struct {
	Host, Database, User, Password, SSLMode string
	Port                                    int
	SSLCert, SSLKey, SSLRootCert            string
}

// BuildConfig returns the body of PUT /connectors/auction-outbox/config (no name in it).
func BuildConfig(src Source) map[string]string {
	cfg := map[string]string{
		"connector.class":             "io.debezium.connector.postgresql.PostgresConnector",
		"plugin.name":                 "pgoutput",
		"tasks.max":                   "1",
		"database.hostname":           src.Host,
		"database.port":               strconv.Itoa(src.Port),
		"database.dbname":             src.Database,
		"database.user":               src.User,
		"database.password":           src.Password,
		"database.sslmode":            strings.ToLower(src.SSLMode), // verify-full in production
		"topic.prefix":                "auction.cdc",
		"slot.name":                   SlotName,
		"slot.drop.on.stop":           "false",
		"publication.name":            PublicationName,
		"publication.autocreate.mode": "disabled",
		"table.include.list":          "public.outbox_events",
		"snapshot.mode":               "initial",
		"heartbeat.interval.ms":       "12000",

		"predicates":                  "IsBidEvent",
		"predicates.IsBidEvent.type":    "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
		"predicates.IsBidEvent.pattern": `^auction\.cdc\.public\.outbox_events$`,

		"transforms":                                "outbox",
		"transforms.outbox.type":                    "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.predicate":               "IsBidEvent",
		"transforms.outbox.table.field.event.id":    "id",
		"transforms.outbox.table.field.event.key":   "partition_key",
		"transforms.outbox.table.field.event.payload": "message",
		"transforms.outbox.table.expand.json.payload": "true",
		"transforms.outbox.table.op.invalid.behavior": "fatal",
		"transforms.outbox.route.by.field":            "topic",
		"transforms.outbox.route.topic.regex":         "(?<routedByValue>.*)",
		"transforms.outbox.route.topic.replacement":   "${routedByValue}",

		"key.converter":                  "org.apache.kafka.connect.storage.StringConverter",
		"value.converter":                "org.apache.kafka.connect.json.JsonConverter",
		"value.converter.schemas.enable": "false",
	}
	for key, value := range map[string]string{
		"database.sslcert":     src.SSLCert,
		"database.sslkey":      src.SSLKey,
		"database.sslrootcert": src.SSLRootCert,
	} {
		if value != "" {
			cfg[key] = value
		}
	}
	return cfg
}
