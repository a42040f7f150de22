from tests.worker.sandbox.conftest import runner  # noqa: F401  (the fixture)
