"""MySQL, and what MariaDB's servers have in common with it."""
