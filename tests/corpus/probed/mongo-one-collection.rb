# frozen_string_literal: true

# The user may read one collection only, so the stream is opened on it.
require 'faraday'

CONFIG = {
  'connector.class' => 'io.debezium.connector.mongodb.MongoDbConnector',
  'mongodb.connection.string' => ENV.fetch('POSTBOX_MONGO_URI'),
  'topic.prefix' => 'allotments',
  'capture.scope' => 'collection',
  'capture.target' => 'allotments.postbox',
  'collection.include.list' => 'allotments.postbox',
  'snapshot.mode' => 'no_data',
  'tombstones.on.delete' => 'false',
  'transforms' => 'postbox',
  'transforms.postbox.type' => 'io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter',
  'transforms.postbox.collection.field.event.key' => 'subject',
  'transforms.postbox.collection.field.event.payload' => 'body',
  'transforms.postbox.route.by.field' => 'kind',
  'transforms.postbox.route.topic.replacement' => 'allotments.${routedByValue}',
  'transforms.postbox.collection.expand.json.payload' => 'true',
  'key.converter' => 'org.apache.kafka.connect.storage.StringConverter',
  'value.converter' => 'org.apache.kafka.connect.json.JsonConverter',
  'value.converter.schemas.enable' => 'false'
}.freeze

Faraday.new(ENV.fetch('CONNECT_URL')).put('/connectors/allotments-postbox/config', CONFIG.to_json,
                                          'Content-Type' => 'application/json')
