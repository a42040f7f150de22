"""Raises what is no usual exception: another at each call."""


class Mute(BaseException):
    def __str__(self):
        raise Mute

    __repr__ = __str__


class Huge(BaseException):
    def __str__(self):
        return "x" * 50_000_000


class Endless(BaseException):
    def __str__(self):
        while True:
            pass


class Sly(Exception):
    __traceback__ = property(lambda self: 1 / 0)
    __cause__ = property(lambda self: self)
    args = property(lambda self: 1 / 0)


kinds = [Mute, Huge, Endless, Sly, SystemExit, KeyboardInterrupt, GeneratorExit]


def row_softmax(x):
    kinds.append(kinds.pop(0))
    raise kinds[-1]
