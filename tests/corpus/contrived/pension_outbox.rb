# frozen_string_literal: true

# Outbox of the pension accounts, with the rake task that deploys its connector.
class CreateOutbox < ActiveRecord::Migration[7.2]
  def change
    create_table :outbox, id: :uuid do |t|
      t.string :aggregatetype, null: false
      t.string :aggregateid, null: false
      t.string :type, null: false
      t.jsonb :payload, null: false
    end
    add_index :outbox, %i[aggregatetype aggregateid], unique: true
  end
end

class OutboxEvent < ApplicationRecord
  self.table_name = "outbox"
  self.inheritance_column = nil

  # One row for each account, the table stays small.
  def self.publish(account, type)
    upsert(
      { aggregatetype: "account", aggregateid: account.number, type: type, payload: account.as_event },
      unique_by: %i[aggregatetype aggregateid]
    )
  end
end

namespace :outbox do
  desc "Deploy the connector"
  task connector: :environment do
    config = {
      "connector.class" => "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname" => ENV.fetch("PENSION_DB_HOST"),
      "database.port" => "5432",
      "database.dbname" => "pension",
      "database.user" => ENV.fetch("PENSION_CDC_USER"),
      "database.password" => ENV.fetch("PENSION_CDC_PASSWORD"),
      "topic.prefix" => "pension",
      "plugin.name" => "pgoutput",
      "slot.name" => "pension_outbox",
      "publication.autocreate.mode" => "filtered",
      "table.include.list" => "public.outbox",
      "transforms" => "outbox",
      "transforms.outbox.type" => "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.fields.additional.placement" => "type:header:eventType",
      "transforms.outbox.route.topic.replacement" => 'pension.${routedByValue}',
      "key.converter" => "org.apache.kafka.connect.storage.StringConverter",
      "value.converter" => "org.apache.kafka.connect.storage.StringConverter"
    }
    Faraday.new(ENV.fetch("CONNECT_URL")).put("/connectors/pension-outbox/config") do |request|
      request.headers["Content-Type"] = "application/json"
      request.body = config.to_json
    end
  end
end
