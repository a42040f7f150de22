from tests.quizsite.conftest import broker

__all__ = ["broker"]
