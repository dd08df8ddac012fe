"""The rules, one module a theme. A function with `@rule` enters the catalogue; nothing else is needed."""
