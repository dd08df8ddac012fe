"""MariaDB. The modules of `mysql` speak to its server."""
