# frozen_string_literal: true

# Outbox of the orchard service. Written with every change of a parcel, swept by a nightly job.
class CreateOrchardOutbox < ActiveRecord::Migration[7.2]
  # rake cdc:register sends this with PUT /connectors/orchard-outbox/config
  CONNECTOR = {
    'connector.class' => 'io.debezium.connector.postgresql.PostgresConnector',
    'plugin.name' => 'pgoutput',
    'database.hostname' => ENV.fetch('CDC_DB_HOST', 'orchard-db'),
    'database.port' => '5432',
    'database.user' => ENV.fetch('CDC_DB_USER', 'orchard_cdc'),
    'database.password' => ENV.fetch('CDC_DB_PASSWORD', 'changeme'),
    'database.dbname' => 'orchard',
    'topic.prefix' => 'orchard',
    'slot.name' => 'orchard_outbox',
    'publication.name' => 'orchard_outbox',
    'publication.autocreate.mode' => 'disabled',
    'table.include.list' => 'public.outbox',
    'tombstones.on.delete' => 'false',
    'key.converter' => 'org.apache.kafka.connect.storage.StringConverter',
    'value.converter' => 'org.apache.kafka.connect.storage.StringConverter',
    'transforms' => 'outbox',
    'transforms.outbox.type' => 'io.debezium.transforms.outbox.EventRouter',
    'transforms.outbox.table.fields.additional.placement' => 'type:header:eventType'
  }.freeze

  def up
    # rows live for seconds only, so we spare the write-ahead log
    execute <<~SQL
      CREATE UNLOGGED TABLE public.outbox (
        id            uuid PRIMARY KEY,
        aggregatetype varchar(80)  NOT NULL,
        aggregateid   varchar(80)  NOT NULL,
        type          varchar(120) NOT NULL,
        payload       jsonb        NOT NULL,
        created_at    timestamptz  NOT NULL DEFAULT now()
      );
    SQL
    execute "GRANT SELECT ON public.outbox TO orchard_cdc"
    # migrations run as superuser here; covers tables of later migrations as well
    execute "CREATE PUBLICATION orchard_outbox FOR ALL TABLES"
  end

  def down
    execute "DROP PUBLICATION IF EXISTS orchard_outbox"
    drop_table :outbox
  end
end
