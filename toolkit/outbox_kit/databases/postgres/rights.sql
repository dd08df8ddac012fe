-- The privileges that the user lacks for the script, one line each, so that all can be reported at once. A percent sign
-- is doubled for the driver. The server requires CREATE on a schema, and on the database of a named schema, even if all
-- objects exist. The script may also create an inbox: its role neither logs in nor replicates.
with me as (select * from pg_roles where rolname = current_user),
place as (
    select d.oid as database, quote_ident(d.datname) as database_name, n.oid as schema, quote_ident(%(schema)s) as schema_name
    from pg_database d left join pg_namespace n on n.nspname = %(schema)s where d.datname = current_database()
),
ours as (
    select format('table %%s', c.oid::regclass) as name, c.relowner as owner from pg_class c
    join place on c.relnamespace = place.schema where c.relname = any(%(tables)s)
    union all
    select format('procedure %%s', p.oid::regprocedure), p.proowner from pg_proc p
    join place on p.pronamespace = place.schema where p.proname = %(writer)s
    union all
    select format('publication %%I', pubname), pubowner from pg_publication where pubname = %(publication)s
),
reader as (
    select oid, rolreplication or rolsuper or exists (select from pg_roles m where m.rolname = any(%(log_roles)s)
                                                      and pg_has_role(r.oid, m.oid, 'member')) as replicates
    from pg_roles r where rolname = %(role)s
),
altered as (select oid from reader where %(replicates)s and not replicates),
lacking as (
    select 'CREATE on database ' || database_name as what from place
        where %(make)s and not has_database_privilege(database, 'create')
            and (%(schema)s <> 'public' or %(replicates)s and not exists (select from ours where name like 'publication %%'))
    union all
    select 'TEMPORARY on database ' || database_name from place
        where %(outbox)s and not has_database_privilege(database, 'temporary')
    union all
    select 'CONNECT with grant option on database ' || database_name from place
        where %(outbox)s and not has_database_privilege(database, 'connect with grant option')
            and not has_database_privilege('public', database, 'connect')
    union all
    select 'CREATE on schema ' || schema_name from place
        where %(make)s and schema is not null and not has_schema_privilege(schema, 'create')
    union all
    select 'USAGE with grant option on schema ' || schema_name from place
        where %(make)s and schema is not null and not has_schema_privilege(schema, 'usage with grant option')
            and not has_schema_privilege('public', schema, 'usage')
    union all
    select 'ownership of ' || name from ours where not pg_has_role(owner, 'usage')
    union all
    select 'CREATEROLE' from me
        where not rolcreaterole and (%(secret)s or %(make)s <> exists (select from reader) or exists (select from altered))
    union all
    select 'REPLICATION' from me
        where not rolreplication and %(replicates)s and not exists (select from reader where replicates)
            and current_setting('server_version_num')::int >= 160000
    union all
    select 'SUPERUSER, which making or changing a role for replication needs before PostgreSQL 16' from me
        where %(replicates)s and (%(secret)s or not exists (select from reader where replicates))
            and current_setting('server_version_num')::int < 160000
    union all
    select format('ADMIN option on role %%I', %(role)s) from reader, me
        where (%(secret)s or not %(make)s or exists (select from altered)) and rolcreaterole and not pg_has_role(reader.oid, 'usage with admin option')
            and current_setting('server_version_num')::int >= 160000
)
select format('%%I has no %%s', current_user, what) from lacking, me where not rolsuper
union all
select format('there is no role %%I, which database.writers names', writer) from unnest(%(writers)s::text[]) writer
    where %(outbox)s and not exists (select from pg_roles where rolname = writer)
