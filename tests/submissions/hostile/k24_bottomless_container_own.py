"""A list that contains itself."""


def row_softmax(x):
    found = [x]
    found.append(found)
    return found
