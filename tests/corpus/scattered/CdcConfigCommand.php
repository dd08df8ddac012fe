<?php

namespace Bamboo\Bus\Console;

use Illuminate\Console\Command;

class CdcConfigCommand extends Command
{
    protected $signature = 'bus:cdc-config';

    protected $description = '[bamboo-bus] In cấu hình connector từ config/bus.php';

    public function handle(): int
    {
        $conn = config('database.default');
        $db = config("database.connections.{$conn}");
        $cdc = config('bus.cdc', []);

        $name = $cdc['name'] ?? 'bamboo-bus-outbox';
        $schema = $db['database'] ?? 'app';

        $connector = [
            'connector.class' => $cdc['class'] ?? 'io.debezium.connector.mysql.MySqlConnector',
            'tasks.max' => '1',

            'database.hostname' => $db['host'] ?? '127.0.0.1',
            'database.port' => $db['port'] ?? '3306',
            'database.user' => $db['username'] ?? 'root',
            'database.password' => $db['password'] ?? 'secret',
            'database.server.id' => '40404',
            'database.server.name' => 'bamboo',
            'database.include.list' => $schema,

            'table.include.list' => "{$schema}.bus_outbox",

            // bản ghi lỗi đi vào DLQ
            'errors.tolerance' => 'all',
            'errors.deadletterqueue.topic.name' => $cdc['dlq'] ?? 'bamboo.outbox.dead',
            'errors.deadletterqueue.context.headers.enable' => 'true',

            // bảng outbox -> topic
            'transforms' => 'outbox',
            'transforms.outbox.type' => 'io.debezium.transforms.outbox.EventRouter',
            'transforms.outbox.table.field.event.id' => 'message_id',
            'transforms.outbox.table.field.event.type' => 'message_type',
            'transforms.outbox.table.field.event.payload' => 'body',
            'transforms.outbox.route.by.field' => 'channel',
            'transforms.outbox.route.topic.replacement' => '${routedByValue}',

            'key.converter' => 'org.apache.kafka.connect.storage.StringConverter',
            'value.converter' => 'org.apache.kafka.connect.converters.ByteArrayConverter',
        ];

        // chỉ in ra; người dùng tự chuyển vào file nếu cần
        $this->line(json_encode(
            ['name' => $name, 'config' => $connector],
            JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES
        ));

        return Command::SUCCESS;
    }
}
