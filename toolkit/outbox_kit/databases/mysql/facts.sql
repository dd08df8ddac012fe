select concat('table ', table_name) from information_schema.tables
    where table_schema = %(schema)s and table_name in %(tables)s
union all
select concat('column ', table_name, '.', column_name, ' ', column_type, if(is_nullable = 'NO', ' not null', ''))
    from information_schema.columns where table_schema = %(schema)s and table_name in %(tables)s
union all
select distinct concat('index ', index_name, ' on ', table_name) from information_schema.statistics
    where table_schema = %(schema)s and table_name in %(tables)s
union all
select concat('check ', constraint_name, ' on ', table_name) from information_schema.table_constraints
    where constraint_schema = %(schema)s and table_name in %(tables)s and constraint_type = 'CHECK'
union all
select concat('trigger ', trigger_name, ' on ', event_object_table) from information_schema.triggers
    where trigger_name = %(feed)s and action_statement like concat('%%', %(schema)s, '%%')
union all
select concat('partition ', partition_name, ' of ', table_name) from information_schema.partitions
    where table_schema = %(schema)s and table_name in %(tables)s and partition_name is not null
union all
select concat('user ', user, '@', host) from mysql.user where user = %(role)s
union all
select concat('grant ', lower(group_concat(privilege_type order by privilege_type separator ', ')), ' to ', %(role)s)
    from information_schema.user_privileges where grantee in %(reader)s and privilege_type <> 'USAGE' having count(*) > 0
union all
select concat('grant ', lower(group_concat(privilege_type order by privilege_type separator ', ')), ' on ', table_name,
        ' to ', replace(grantee, '''', ''))
    from information_schema.table_privileges
    where grantee in %(grantees)s and table_schema = %(schema)s and table_name in %(tables)s group by grantee, table_name
union all
select concat('grant ', lower(privilege_type), ' (', column_name, ') on ', table_name, ' to ',
        replace(grantee, '''', ''))
    from information_schema.column_privileges
    where grantee in %(grantees)s and table_schema = %(schema)s and table_name in %(tables)s
order by 1
