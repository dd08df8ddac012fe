<?php

namespace Acme\Events\Console\Commands;

use Illuminate\Console\Command;

class KafkaConnectorConfigCommand extends Command
{
    protected $signature = 'events:connector-config';

    protected $description = '[acme-events] Xuất cấu hình connector Debezium từ file config';

    public function handle(): int
    {
        $dbConnection = config('database.default');
        $dbConfig = config("database.connections.{$dbConnection}");

        $cdcConfig = config('acme-events.cdc', []);

        $name = $cdcConfig['connector_name'] ?? 'acme-events-outbox';
        $class = $cdcConfig['connector_class'] ?? 'io.debezium.connector.mysql.MySqlConnector';
        $dlqTopic = $cdcConfig['dlq_topic'] ?? 'acme-events.outbox.dlq';

        $database = $dbConfig['database'] ?? 'your_database';
        $host = $dbConfig['host'] ?? '127.0.0.1';
        $port = $dbConfig['port'] ?? '3306';
        $user = $dbConfig['username'] ?? 'root';
        $password = $dbConfig['password'] ?? 'secret';

        $configArray = [
            'connector.class' => $class,
            'tasks.max' => '1',

            'database.hostname' => $host,
            'database.port' => $port,
            'database.user' => $user,
            'database.password' => $password,
            'database.server.id' => '54321',
            'database.server.name' => 'appserver1',
            'database.include.list' => $database,

            'table.include.list' => "{$database}.event_outbox",

            // Hàng đợi lỗi (DLQ)
            'errors.tolerance' => 'all',
            'errors.deadletterqueue.topic.name' => $dlqTopic,
            'errors.deadletterqueue.context.headers.enable' => 'true',

            // Outbox Event Router SMT
            'transforms' => 'outbox',
            'transforms.outbox.type' => 'io.debezium.transforms.outbox.EventRouter',
            'transforms.outbox.table.field.event.id' => 'event_id',
            'transforms.outbox.table.field.event.type' => 'event_type',
            'transforms.outbox.table.field.event.payload' => 'payload',
            'transforms.outbox.route.by.field' => 'topic',
            'transforms.outbox.route.topic.replacement' => '${routedByValue}',

            // Converter
            'key.converter' => 'org.apache.kafka.connect.storage.StringConverter',
            'value.converter' => 'org.apache.kafka.connect.converters.ByteArrayConverter',
        ];

        $content = json_encode([
            'name' => $name,
            'config' => $configArray
        ], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES);

        // Chỉ in ra màn hình; ai cần thì chuyển vào file.
        $this->line($content);

        return Command::SUCCESS;
    }
}
