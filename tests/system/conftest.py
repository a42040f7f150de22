import pytest

from tests.product import Product


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    """The whole product, started once for a module."""
    running = Product(tmp_path_factory.mktemp("product") / "data")
    running.start()
    yield running
    running.stop()
