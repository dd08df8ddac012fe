<?php

declare(strict_types=1);

// Two regions, two database servers, the same connector in both.
$regions = [
    'north' => 'mysql-north.florist.internal',
    'south' => 'mysql-south.florist.internal',
];

foreach ($regions as $region => $host) {
    $config = [
        'connector.class' => 'io.debezium.connector.mysql.MySqlConnector',
        'database.hostname' => $host,
        'database.port' => '3306',
        'database.user' => '${env:FLORIST_USER}',
        'database.password' => '${env:FLORIST_PASSWORD}',
        'database.server.id' => '90210',
        'topic.prefix' => "florist-$region",
        'database.include.list' => 'florist',
        'table.include.list' => 'florist.bouquet,florist.delivery',
        'schema.history.internal.kafka.bootstrap.servers' => getenv('KAFKA_BROKERS'),
        'schema.history.internal.kafka.topic' => "florist-$region-history",
        'transforms' => 'short',
        'transforms.short.type' => 'org.apache.kafka.connect.transforms.RegexRouter',
        'transforms.short.regex' => "florist-$region\.florist\.(.*)",
        'transforms.short.replacement' => "florist.$1.$region",
    ];

    $curl = curl_init(getenv('CONNECT_URL') . "/connectors/florist-$region/config");
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => 'PUT',
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
        CURLOPT_POSTFIELDS => json_encode($config, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES),
    ]);
    curl_exec($curl);
    printf("%s: %d\n", $region, curl_getinfo($curl, CURLINFO_RESPONSE_CODE));
}
