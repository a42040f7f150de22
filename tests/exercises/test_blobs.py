import pytest

from exercises.blobs import LARGEST_JSON_BYTES, pack, unpack
from exercises.errors import BlobTooLargeError


def test_what_is_packed_is_unpacked():
    value = {"text": "√d 🎓", "numbers": [1, 2.5, None]}

    assert unpack(pack(value)) == value


def test_bytes_from_postgresql_are_unpacked():
    assert unpack(memoryview(pack({"a": 1}))) == {"a": 1}


def test_nothing_stored_is_an_empty_dict():
    assert unpack(None) == {}


def test_value_beyond_the_cap_is_refused():
    with pytest.raises(BlobTooLargeError, match="at most"):
        pack("x" * LARGEST_JSON_BYTES)
