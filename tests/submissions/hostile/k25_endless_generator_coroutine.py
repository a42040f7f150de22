"""A coroutine."""


async def later(x):
    return x


def row_softmax(x):
    return later(x)
