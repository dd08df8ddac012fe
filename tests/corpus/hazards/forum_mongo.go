package forum

// Config of the connector that publishes new posts. Edits and deletions are of no
// interest for the feed, so the server filters them out of the change stream.
func ConnectorConfig(uri, cluster string) map[string]string {
	return map[string]string{
		"connector.class":           "io.debezium.connector.mongodb.MongoDbConnector",
		"tasks.max":                 "1",
		"mongodb.connection.string": uri,
		"topic.prefix":              "forum-" + cluster,
		"capture.scope":             "collection",
		"capture.target":            "forum.posts",
		"collection.include.list":   "forum\\.posts",
		"cursor.pipeline":           `[{"$match": {"operationType": {"$in": ["insert"]}}}]`,
		"cursor.pipeline.order":     "internal_first",
		"snapshot.mode":             "no_data",
		"key.converter":             "org.apache.kafka.connect.storage.StringConverter",
		"value.converter":           "org.apache.kafka.connect.storage.StringConverter",
	}
}
