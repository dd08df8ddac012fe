-- The answers of `observe`, each as one JSON document: columns that a release does not have are absent in it.
-- name: server
select jsonb_build_object(
    'version', current_setting('server_version'),
    'recovery', pg_is_in_recovery(),
    'read_only', current_setting('default_transaction_read_only') = 'on',
    'encoding', (select pg_encoding_to_char(encoding) from pg_database where datname = current_database()),
    'settings', (select jsonb_object_agg(name, jsonb_build_array(setting || coalesce(unit, ''), pending_restart))
                 from pg_settings where name = any(%(settings)s)),
    'sees_sessions', (select pg_has_role(current_user, oid, 'usage') from pg_roles where rolname = 'pg_read_all_stats'),
    'free_slots', current_setting('max_replication_slots')::int - (select count(*) from pg_replication_slots),
    'free_senders', current_setting('max_wal_senders')::int - (select count(*) from pg_stat_replication),
    -- one that reads the log physically and replays it, unlike pg_receivewal and pg_basebackup; without the right to see
    -- its state, any that reads physically
    'standbys', (select count(*) from pg_stat_replication r join pg_stat_activity a using (pid)
                 where a.datid is null and (r.replay_lsn is not null or r.state is null))
)
-- name: role
select to_jsonb(r) || jsonb_build_object(
    'expired', r.rolvaliduntil < now(),
    'managed', exists (select from pg_roles m where m.rolname = any(%(managed)s) and pg_has_role(r.oid, m.oid, 'member'))
) from pg_roles r where rolname = %(role)s
-- name: slots
select to_jsonb(s) || jsonb_build_object(
    'confirmed', pg_wal_lsn_diff(confirmed_flush_lsn, '0/0'),
    'retained', pg_wal_lsn_diff(p.position, restart_lsn),
    'lag', pg_wal_lsn_diff(p.position, confirmed_flush_lsn),
    'inactive', extract(epoch from now() - (to_jsonb(s) ->> 'inactive_since')::timestamptz),
    'reader', (select jsonb_build_array(usename, application_name, coalesce(host(client_addr), 'a local socket'), pid)
               from pg_stat_activity where pid = active_pid and usename is not null)
)
from pg_replication_slots s,
     (select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end as position) p
where slot_type = 'logical' order by slot_name
-- name: publication
select to_jsonb(p) || jsonb_build_object(
    'tables', coalesce((select jsonb_agg(to_jsonb(t)) from pg_publication_tables t where t.pubname = p.pubname), '[]')
) from pg_publication p where pubname = %(publication)s
-- name: table
select jsonb_build_object(
    'partitioned', relkind = 'p',
    'identity', relreplident,
    'options', coalesce(to_jsonb(reloptions), '[]'),
    'rows', greatest(coalesce(s.n_live_tup, 0), reltuples)::bigint,
    'dead', coalesce(s.n_dead_tup, 0),
    'primary_key', exists (select from pg_index where indrelid = c.oid and indisprimary),
    'invalid', coalesce((select jsonb_agg(indexrelid::regclass::text) from pg_index
                         where indrelid = c.oid and not (indisvalid and indisready)), '[]'),
    'checks', coalesce((select jsonb_object_agg(conname, obj_description(oid, 'pg_constraint')) from pg_constraint
                        where conrelid = c.oid and contype = 'c' and convalidated), '{}'),
    'cache', (select seqcache from pg_sequence
              where seqrelid = pg_get_serial_sequence(%(table)s,
                  (select attname from pg_attribute where attrelid = c.oid and attname = %(sequence)s
                   and not attisdropped))::regclass)
)
from pg_class c left join pg_stat_all_tables s on s.relid = c.oid where c.oid = to_regclass(%(table)s)
-- name: holders
select jsonb_build_object('what', what, 'seconds', extract(epoch from since), 'transactions', age, 'sql', sql) from (
    select format('the transaction of %%s (user %%s, pid %%s, %%s)', coalesce(nullif(application_name, ''), 'an unnamed program'),
                  usename, pid, state) as what,
           clock_timestamp() - xact_start as since, age(coalesce(backend_xmin, backend_xid)) as age,
           format('select pg_terminate_backend(%%s);', pid) as sql
    from pg_stat_activity
    where coalesce(backend_xmin, backend_xid) is not null and pid <> pg_backend_pid() and backend_type = 'client backend'
    union all
    select format('the prepared transaction %%L', gid), clock_timestamp() - prepared, age(transaction),
           format('rollback prepared %%L;', gid)
    from pg_prepared_xacts
) holder where since is not null order by since desc limit 5
-- name: absent
select coalesce(jsonb_agg(title), '[]') from unnest(%(titles)s::text[], %(tables)s::text[]) as t (title, name)
where to_regclass(name) is null
-- name: writers
select coalesce(jsonb_agg(writer), '[]') from unnest(%(writers)s::text[]) as writer
where not exists (select from pg_roles where rolname = writer)
-- name: position
select jsonb_build_array(extract(epoch from clock_timestamp()), case when pg_is_in_recovery()
    then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') else pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') end)
