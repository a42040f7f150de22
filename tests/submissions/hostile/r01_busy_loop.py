"""Integer arithmetic for ever."""


def row_softmax(x):
    number = 1
    while True:
        number = (number * 48271) % 2147483647
