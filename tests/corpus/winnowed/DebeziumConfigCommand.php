<?php

namespace Acme\Relay\Console;

use Illuminate\Console\Command;

/** Prints the body for POST /connectors; the user pipes it into a file. */
class DebeziumConfigCommand extends Command
{
    protected $signature = 'relay:debezium-config';

    protected $description = 'Print the connector of the table relay_outbox (event_id, event_type, aggregateid, topic, payload json)';

    public function handle(): int
    {
        $db = config('database.connections.' . config('database.default'));
        $relay = config('relay.debezium', []);
        $schema = $db['database'] ?? 'app';

        $connector = [
            'connector.class' => 'io.debezium.connector.mysql.MySqlConnector',
            'tasks.max' => '1',

            'database.hostname' => $db['host'] ?? '127.0.0.1',
            'database.port' => $db['port'] ?? '3306',
            'database.user' => $db['username'] ?? 'root',
            'database.password' => $db['password'] ?? 'secret',
            'database.server.id' => '70311',
            'database.server.name' => 'relay',
            'database.include.list' => $schema,
            'table.include.list' => "{$schema}.relay_outbox",

            // what cannot be sent goes to the dead letter queue
            'errors.tolerance' => 'all',
            'errors.deadletterqueue.topic.name' => $relay['dlq'] ?? 'relay.outbox.dlq',
            'errors.deadletterqueue.context.headers.enable' => 'true',

            'transforms' => 'outbox',
            'transforms.outbox.type' => 'io.debezium.transforms.outbox.EventRouter',
            'transforms.outbox.table.field.event.id' => 'event_id',
            'transforms.outbox.table.field.event.type' => 'event_type',
            'transforms.outbox.table.field.event.payload' => 'payload',
            'transforms.outbox.route.by.field' => 'topic',
            'transforms.outbox.route.topic.replacement' => '${routedByValue}',

            'key.converter' => 'org.apache.kafka.connect.storage.StringConverter',
            'value.converter' => 'org.apache.kafka.connect.converters.ByteArrayConverter',
        ];

        $this->line(json_encode(
            ['name' => $relay['name'] ?? 'relay-outbox', 'config' => $connector],
            JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES
        ));

        return Command::SUCCESS;
    }
}
