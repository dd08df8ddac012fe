select 'table ' || table_name from all_tables where owner = :own and table_name in (:box, :beat, :lanes, :members, :starts)
union all
select 'column ' || table_name || '.' || column_name || ' ' || lower(data_type) || decode(nullable, 'N', ' not null')
    from all_tab_cols where owner = :own and table_name in (:box, :beat, :lanes, :members, :starts) and hidden_column = 'NO'
union all
select 'index ' || index_name || ' on ' || table_name from all_indexes
    where table_owner = :own and table_name in (:box, :beat, :lanes, :members, :starts) and index_type = 'NORMAL'
union all
select 'check ' || constraint_name || ' on ' || table_name from all_constraints
    where owner = :own and table_name in (:box, :beat, :lanes, :members, :starts) and constraint_type = 'C' and generated = 'USER NAME'
union all
select 'trigger ' || trigger_name || ' on ' || table_name from all_triggers
    where owner = :own and trigger_name = :feed
union all
select 'supplemental logging of ' || table_name from all_log_groups
    where owner = :own and table_name in (:box, :beat, :lanes, :members, :starts) and log_group_type = 'ALL COLUMN LOGGING'
union all
select 'user ' || username from all_users where username = :who
union all
select 'grant ' || listagg(lower(privilege), ', ') within group (order by privilege) || ' on ' || table_name || ' to ' || grantee
    from dba_tab_privs where grantee = :who or owner = :own and table_name = :box group by grantee, table_name
union all
select 'grant ' || lower(privilege) || ' (' || column_name || ') on ' || table_name || ' to ' || grantee
    from dba_col_privs where grantee = :who
union all
select 'grant ' || lower(privilege) || ' to ' || grantee from dba_sys_privs where grantee = :who
union all
select 'grant ' || lower(granted_role) || ' to ' || grantee from dba_role_privs where grantee = :who
union all
select 'supplemental logging' from v$database where supplemental_log_data_min <> 'NO'
order by 1
