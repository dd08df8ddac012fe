<?php

namespace Acme\Relay\Console;

use Illuminate\Console\Command;

class RelayConfigCommand extends Command
{
    protected $signature = 'relay:connector-config';

    protected $description = 'In cau hinh connector ra man hinh';

    public function handle(): int
    {
        $connection = config('database.default');
        $db = config("database.connections.{$connection}");
        $relay = config('relay.connector', []);

        $name = $relay['name'] ?? 'relay-outbox-connector';
        $class = $relay['class'] ?? 'io.debezium.connector.mysql.MySqlConnector';
        $dlq = $relay['dlq_topic'] ?? 'relay.outbox.dlq';
        $database = $db['database'] ?? 'app';

        $config = [
            'connector.class' => $class,
            'tasks.max' => '1',

            'database.hostname' => $db['host'] ?? '127.0.0.1',
            'database.port' => $db['port'] ?? '3306',
            'database.user' => $db['username'] ?? 'root',
            'database.password' => $db['password'] ?? 'secret',
            'database.server.id' => '67890',
            'database.server.name' => 'appserver',
            'database.include.list' => $database,

            'table.include.list' => "{$database}.relay_outbox",

            // dead letters
            'errors.tolerance' => 'all',
            'errors.deadletterqueue.topic.name' => $dlq,
            'errors.deadletterqueue.context.headers.enable' => 'true',

            // router
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

        // chi in ra, nguoi dung tu chuyen vao file
        $this->line(json_encode(['name' => $name, 'config' => $config], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES));

        return Command::SUCCESS;
    }
}
