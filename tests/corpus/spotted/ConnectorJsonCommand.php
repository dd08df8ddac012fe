<?php

namespace Acme\Relay\Console;

use Illuminate\Console\Command;

class ConnectorJsonCommand extends Command
{
    protected $signature = 'relay:connector-json';

    protected $description = 'In ra JSON cua connector, dung voi POST /connectors';

    public function handle(): int
    {
        $db = config('database.connections.' . config('database.default'));
        $relay = config('relay.connector', []);

        $schema = $db['database'] ?? 'app';

        $config = [
            'connector.class' => $relay['class'] ?? 'io.debezium.connector.mysql.MySqlConnector',
            'tasks.max' => '1',

            'database.hostname' => $db['host'] ?? '127.0.0.1',
            'database.port' => $db['port'] ?? '3306',
            'database.user' => $db['username'] ?? 'root',
            'database.password' => $db['password'] ?? 'secret',
            'database.server.id' => '24680',
            'database.server.name' => 'app-mysql',
            'database.include.list' => $schema,
            'table.include.list' => "{$schema}.relay_rows",

            // hang doi cho ban ghi loi
            'errors.tolerance' => 'all',
            'errors.deadletterqueue.topic.name' => $relay['dlq'] ?? 'relay.rows.dlq',
            'errors.deadletterqueue.context.headers.enable' => 'true',

            'transforms' => 'rows',
            'transforms.rows.type' => 'io.debezium.transforms.outbox.EventRouter',
            'transforms.rows.table.field.event.id' => 'row_uuid',
            'transforms.rows.table.field.event.type' => 'row_kind',
            'transforms.rows.table.field.event.payload' => 'content',
            'transforms.rows.route.by.field' => 'topic',
            'transforms.rows.route.topic.replacement' => '${routedByValue}',

            'key.converter' => 'org.apache.kafka.connect.storage.StringConverter',
            'value.converter' => 'org.apache.kafka.connect.converters.ByteArrayConverter',
        ];

        $this->line(json_encode(
            ['name' => $relay['name'] ?? 'relay-rows', 'config' => $config],
            JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES
        ));

        return self::SUCCESS;
    }
}
