create table outbox_events (id char(36) primary key, aggregate_type varchar(255) not null,
    aggregate_id varchar(255) not null, event_type varchar(255) not null, payload json not null,
    created_at timestamp(6) not null default current_timestamp(6), available_at timestamp null,
    status enum('PENDING', 'SENT') not null, attempts int not null, seq bigint not null auto_increment unique);
create table OutboxMessage (SequenceNumber bigint auto_increment primary key, EnqueueTime datetime(6),
    SentTime datetime(6) not null, Headers longtext, OutboxId char(36), MessageId char(36) not null,
    ContentType varchar(256) not null, MessageType longtext not null, Body longtext not null);
create table event_publication (id binary(16) primary key, listener_id varchar(512) not null,
    event_type varchar(512) not null, serialized_event varchar(4000) not null,
    publication_date timestamp(6) not null, completion_date timestamp(6) null);
create table people (id int primary key, name text, data json);
create view outbox_view as select * from outbox_events;
insert into outbox_events (id, aggregate_type, aggregate_id, event_type, payload, status, attempts)
    values (uuid(), 'Order', '7', 'OrderPlaced', '{"total": "hunter2"}', 'PENDING', 0);
update outbox_events set status = 'SENT', attempts = 1;
insert into OutboxMessage (SentTime, MessageId, ContentType, MessageType, Body)
    values (now(), uuid(), 'application/json', 'urn:message:Shop:OrderPlaced', '{"OrderId": 7}');
insert into event_publication values (unhex('00'), 'l', 'com.acme.OrderPlaced', '{}', now(), null);
