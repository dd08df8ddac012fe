"""The rules of `adopt`, one module a theme: a function with `@rule` enters the catalogue."""
