"""Puts markup that calls home into printed text and into an error."""

BEACON = '<img src="http://127.0.0.1:9/beacon.png"><script>fetch("http://127.0.0.1:9/x")</script>'


def row_softmax(x):
    print(BEACON)
    print("![picture](http://127.0.0.1:9/beacon.png) [link](javascript:alert(1))")
    raise ValueError(BEACON)
