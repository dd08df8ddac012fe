-- The collation of catalogue names may differ from the database's: all names are converted before they are compared.
select ('table ' + name) collate database_default fact from sys.tables
    where schema_name(schema_id) = %(schema)s and name in %(tables)s
union all
select ('column ' + t.name + '.' + c.name + ' ' + type_name(c.user_type_id) + iif(c.is_nullable = 0, ' not null', ''))
        collate database_default
    from sys.columns c join sys.tables t on t.object_id = c.object_id
    where schema_name(t.schema_id) = %(schema)s and t.name in %(tables)s
union all
select ('index ' + i.name + ' on ' + t.name) collate database_default
    from sys.indexes i join sys.tables t on t.object_id = i.object_id
    where schema_name(t.schema_id) = %(schema)s and t.name in %(tables)s and i.name is not null
union all
select ('check ' + c.name + ' on ' + t.name) collate database_default
    from sys.check_constraints c join sys.tables t on t.object_id = c.parent_object_id
    where schema_name(t.schema_id) = %(schema)s and t.name in %(tables)s
union all
select ('trigger ' + name + ' on ' + object_name(parent_id)) collate database_default
    from sys.triggers where name = %(feed)s
union all
select ('capture of ' + name) collate database_default from sys.tables
    where schema_name(schema_id) = %(schema)s and name in %(tables)s and is_tracked_by_cdc = 1
union all
select ('login ' + name + iif(is_disabled = 1, ', disabled', '')) collate database_default
    from sys.server_principals where name = %(role)s
union all
select (iif(type = 'R', 'role ', 'user ') + name) collate database_default
    from sys.database_principals where name in (%(role)s, %(gate)s)
union all
select ('grant ' + lower(p.permission_name) + ' on ' + object_schema_name(p.major_id) + '.' + object_name(p.major_id)
        + iif(p.minor_id = 0, '', ' (' + col_name(p.major_id, p.minor_id) + ')') + ' to ' + g.name)
        collate database_default
    from sys.database_permissions p join sys.database_principals g on g.principal_id = p.grantee_principal_id
    where g.name in (%(role)s, %(gate)s) and p.class = 1
order by 1
