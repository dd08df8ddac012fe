package connectors

import "os"

// PropertySource publishes the changes of the property database. All rows of one owner are on one partition.
func PropertySource() map[string]any {
	return map[string]any{
		"name": "property-source",
		"config": map[string]string{
			"connector.class":             "io.debezium.connector.postgresql.PostgresConnector",
			"database.hostname":           os.Getenv("PROPERTY_DB_HOST"),
			"database.port":               "5432",
			"database.user":               "property_cdc",
			"database.password":           os.Getenv("PROPERTY_DB_PASSWORD"),
			"database.dbname":             "property",
			"topic.prefix":                "property",
			"plugin.name":                 "pgoutput",
			"slot.name":                   "property_source",
			"publication.autocreate.mode": "filtered",
			"table.include.list":          "public.lease,public.unit",
			// the owner must be in the old row, too
			"replica.identity.autoset.values": "public.lease:FULL,public.unit:FULL",

			"transforms":            "owner,unwrap",
			"transforms.owner.type": "io.debezium.transforms.partitions.PartitionRouting",
			"transforms.owner.partition.payload.fields": "change.owner_id",
			"transforms.owner.partition.topic.num":      "8",
			"transforms.owner.partition.hash.function":  "murmur",
			"transforms.unwrap.type":                    "io.debezium.transforms.ExtractNewRecordState",
			"transforms.unwrap.add.fields":              "op,source.ts_ms:changed_at",

			"topic.creation.default.partitions":         "8",
			"topic.creation.default.replication.factor": "-1",

			"key.converter":                  "org.apache.kafka.connect.json.JsonConverter",
			"key.converter.schemas.enable":   "false",
			"value.converter":                "org.apache.kafka.connect.json.JsonConverter",
			"value.converter.schemas.enable": "false",
		},
	}
}
