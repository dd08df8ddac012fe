"""The examples in the docstrings of a generated Python module, as programs."""

import ast
import textwrap


def complete(module: str, package: str) -> str:
    """The program in the docstring of a module's text. package: where the generated files are."""
    documentation = ast.get_docstring(ast.parse(module)) or ""
    return _code(documentation.partition("Example, with these files in a package `messaging`:")[2], package)


def of_functions(module: str) -> dict[str, str]:
    """The lines that show how to call a function, by its name."""
    functions = [node for node in ast.parse(module).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    parts = {one.name: (ast.get_docstring(one) or "").partition("Example:")[2] for one in functions}
    return {name: _code(part, "messaging") for name, part in parts.items() if part}


def _code(text: str, package: str) -> str:
    code = textwrap.dedent(text).strip() + "\n"
    ast.parse(code)
    return code.replace("from messaging.", f"from {package}.")
