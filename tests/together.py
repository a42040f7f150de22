"""Several threads that do something at the same moment, as several processes would."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connections

from exercises.errors import ExerciseError


def together(action, arguments):
    """What `action` gave for each of the arguments, in a thread each; a refusal is given as it was raised."""
    barrier = Barrier(len(arguments))
    with ThreadPoolExecutor(len(arguments)) as pool:
        return list(pool.map(_acting, [action] * len(arguments), arguments, [barrier] * len(arguments)))


def _acting(action, argument, barrier):
    barrier.wait()
    try:
        return action(argument)
    except ExerciseError as refusal:
        return refusal
    finally:
        connections.close_all()
