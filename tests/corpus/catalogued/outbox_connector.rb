# frozen_string_literal: true

require "json"
require "net/http"

# rake cdc:outbox registers this connector after db:migrate
class OutboxConnector
  NAME = "courses-outbox"

  def self.config
    {
      "connector.class" => "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max" => "1",
      "database.hostname" => ENV.fetch("PGHOST"),
      "database.port" => ENV.fetch("PGPORT", "5432"),
      "database.user" => ENV.fetch("CDC_USER"),
      "database.password" => ENV.fetch("CDC_PASSWORD"),
      "database.dbname" => "courses",
      "topic.prefix" => "courses",
      "plugin.name" => "pgoutput",
      "slot.name" => "courses_outbox",
      "publication.name" => "courses_outbox",
      "publication.autocreate.mode" => "filtered",
      "table.include.list" => "public.outbox_events",
      # every event counts: enrolled, moved, paid, cancelled; key = course id
      "topic.creation.default.partitions" => "12",
      "topic.creation.default.replication.factor" => "3",
      "topic.creation.default.cleanup.policy" => "compact",
      "key.converter" => "org.apache.kafka.connect.storage.StringConverter",
      "value.converter" => "org.apache.kafka.connect.storage.StringConverter",
      "transforms" => "outbox",
      "transforms.outbox.type" => "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.route.by.field" => "aggregate_type",
      "transforms.outbox.table.field.event.key" => "aggregate_id",
      "transforms.outbox.route.topic.replacement" => 'events.${routedByValue}'
    }
  end

  def self.register!(base = ENV.fetch("CONNECT_URL"))
    uri = URI("#{base}/connectors/#{NAME}/config")
    response = Net::HTTP.start(uri.host, uri.port) do |http|
      http.put(uri.path, JSON.generate(config), "Content-Type" => "application/json")
    end
    raise "Connect: #{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)
  end
end
