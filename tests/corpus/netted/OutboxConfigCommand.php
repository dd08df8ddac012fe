<?php

namespace Acme\Stream\Console\Commands;

use Illuminate\Console\Command;

class OutboxConfigCommand extends Command
{
    protected $signature = 'stream:outbox-config';

    protected $description = 'Prints the connector config for the outbox of this application';

    public function handle(): int
    {
        $db = config('database.connections.' . config('database.default'));
        $settings = config('stream.cdc', []);

        $name = $settings['connector_name'] ?? 'acme-outbox-connector';
        $dlq = $settings['dlq_topic'] ?? 'acme.outbox.dead';
        $database = $db['database'] ?? 'app';

        $config = [
            'connector.class' => 'io.debezium.connector.mysql.MySqlConnector',
            'tasks.max' => '1',

            'database.hostname' => $db['host'] ?? '127.0.0.1',
            'database.port' => $db['port'] ?? '3306',
            'database.user' => $db['username'] ?? 'root',
            'database.password' => $db['password'] ?? 'secret',
            'database.server.id' => '54321',
            'database.server.name' => 'app1',
            'database.include.list' => $database,

            'table.include.list' => "{$database}.stream_outbox",

            // dead letters
            'errors.tolerance' => 'all',
            'errors.deadletterqueue.topic.name' => $dlq,
            'errors.deadletterqueue.context.headers.enable' => 'true',

            // outbox router
            'transforms' => 'outbox',
            'transforms.outbox.type' => 'io.debezium.transforms.outbox.EventRouter',
            'transforms.outbox.table.field.event.id' => 'event_id',
            'transforms.outbox.table.field.event.key' => 'event_key',
            'transforms.outbox.table.field.event.payload' => 'payload',
            'transforms.outbox.route.by.field' => 'topic',
            'transforms.outbox.route.topic.replacement' => '${routedByValue}',

            'key.converter' => 'org.apache.kafka.connect.storage.StringConverter',
            'value.converter' => 'org.apache.kafka.connect.converters.ByteArrayConverter',
        ];

        // only printed: the user sends it to Kafka Connect
        $this->line(json_encode(['name' => $name, 'config' => $config], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES));

        return Command::SUCCESS;
    }
}
