"""What the schema says of refusals, which are alike for all calls."""

from __future__ import annotations

from typing import Any

METHODS = frozenset({"get", "post", "put", "delete"})
BODIES = frozenset({"post", "put"})
REFUSAL = {"$ref": "#/components/schemas/Refusal"}
PROBLEMS = {"$ref": "#/components/schemas/Problems"}
SCHEMAS = {
    "Refusal": {
        "type": "object",
        "description": "Why a call was refused, in a sentence.",
        "required": ["detail"],
        "properties": {"detail": {"type": "string"}},
    },
    "Problems": {
        "type": "object",
        "description": "What is wrong with a field, by its name; or `detail` of the body as a whole.",
        "additionalProperties": {"oneOf": [{"type": "string"}, {"type": "array", "items": {}}, {"type": "object"}]},
    },
}
OF_ANY = {
    "401": "No token, or one that is none.",
    "406": "The call has no answer of such a form.",
    "429": "Too often; `Retry-After` says when again.",
}
OF_MEMBERS = {"403": "It is there, and not for the caller to do.", "404": "It is not there, or not for the caller."}
OF_BODIES = {
    "409": "What stands there forbids it.",
    "413": "The body is too large.",
    "415": "The body is no JSON.",
}


def describe_refusals(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    """The schema with the refusals of each call: statuses that the call itself describes are left as they are.

    Of bodies it says that they have no other fields.
    """
    schemas = result["components"].setdefault("schemas", {})
    for name in schemas:
        if name.endswith("Body"):
            schemas[name]["additionalProperties"] = False
    schemas.update(SCHEMAS)
    for path in result["paths"].values():
        for method in METHODS & path.keys():
            responses = path[method]["responses"]
            for status, answer in _refusals(method).items():
                responses.setdefault(status, answer)
    return result


def _refusals(method: str) -> dict[str, Any]:
    told = {**OF_ANY, **OF_MEMBERS, **(OF_BODIES if method in BODIES else {})}
    problems = _answer("What was sent does not fit.", PROBLEMS)
    return {"400": problems, **{status: _answer(words, REFUSAL) for status, words in told.items()}}


def _answer(words: str, schema: dict[str, str]) -> dict[str, Any]:
    return {"description": words, "content": {"application/json": {"schema": schema}}}
