"""What can be in the way, one module a theme: a function with `@obstacle` enters the catalogue."""
