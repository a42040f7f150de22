"""Some object."""


class Answer:
    pass


def row_softmax(x):
    return Answer()
