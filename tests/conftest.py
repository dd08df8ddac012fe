"""Settings for every test."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    # A stack's services are known by id and start time; the handle that started them is let go on purpose.
    config.addinivalue_line("filterwarnings", r"ignore:subprocess \d+ is still running:ResourceWarning")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files")
    parser.addoption("--cases", type=int, default=50_000, help="generated rows for the router's conformance")
    parser.addoption("--case-seed", type=int, default=0, help="another seed gives other rows")
