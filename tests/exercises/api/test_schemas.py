import json

import pytest

from exercises.content.schemas import schema_of


@pytest.mark.parametrize("name", ["exercise", "course"])
def test_schema_is_published_to_all(client, name):
    response = client.get(f"/schema/{name}.json")

    assert response.status_code == 200
    assert response["Content-Type"] == "application/schema+json"
    assert response["Cache-Control"] == "public, max-age=3600"
    assert json.loads(response.content) == schema_of(name)


def test_there_is_no_other_schema(client):
    assert client.get("/schema/other.json").status_code == 404
