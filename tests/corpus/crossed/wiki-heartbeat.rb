# frozen_string_literal: true

require "faraday"
require "json"

# The payload column is bytea. Heartbeats, transaction markers and so on are structs
# and go through the delegate.
module WikiRelay
  CONFIG = {
    "connector.class" => "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname" => "wiki-db",
    "database.port" => "5432",
    "database.user" => "${env:WIKI_CDC_USER}",
    "database.password" => "${env:WIKI_CDC_PASSWORD}",
    "database.dbname" => "wiki",
    "topic.prefix" => "wiki",
    "plugin.name" => "pgoutput",
    "slot.name" => "wiki_relay",
    "publication.name" => "wiki_relay",
    "publication.autocreate.mode" => "filtered",
    "table.include.list" => "public.outbox",
    "heartbeat.interval.ms" => "10000",
    "heartbeat.topics.prefix" => "_hb",
    "transforms" => "outbox",
    "transforms.outbox.type" => "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement" => "wiki.${routedByValue}",
    "key.converter" => "org.apache.kafka.connect.storage.StringConverter",
    "value.converter" => "io.debezium.converters.BinaryDataConverter",
    "value.converter.delegate.converter.type" => "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.delegate.converter.type.schemas.enable" => "false"
  }.freeze

  def self.register(url)
    Faraday.put("#{url}/connectors/wiki-relay/config", JSON.generate(CONFIG), "Content-Type" => "application/json")
  end
end
