"""Names and loops in the text of a submission, found in its syntax tree before any of it runs.

Imports and plain aliases are resolved. Nothing hinders a student from hiding a name (`eval`, a computed `getattr`):
what is found helps to learn, and keeps nobody out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from worker.sandbox.attempts import Attempt
from worker.sandbox.job import Forbidden, Value

_MOST_FINDINGS = 50
_ROUNDS = 8

_LOOPS: dict[type[ast.AST], str] = {
    ast.For: "for",
    ast.AsyncFor: "for",
    ast.While: "while",
    ast.ListComp: "comprehension",
    ast.SetComp: "comprehension",
    ast.DictComp: "comprehension",
    ast.GeneratorExp: "comprehension",
}
_parse, _walk = ast.parse, ast.walk


def survey_source(source: str, forbidden: Forbidden) -> list[Value]:
    """What is forbidden and stands in the source, by line: dicts of rule (`names`, `loops`), name and line.

    Nothing where the source cannot be parsed: loading it says why.
    """
    tree = Attempt(_parse, source)
    if tree.error is not None:
        return []
    nodes = [node for statement in tree.value.body if not _is_main_block(statement) for node in _walk(statement)]
    names = _Names.of(nodes)
    found = {
        (getattr(node, "lineno", 0), rule, name)
        for node in nodes
        for rule, name in (*_forbidden_names(node, names, forbidden.names), *_loops(node, forbidden))
    }
    return [{"rule": rule, "name": name, "line": line} for line, rule, name in sorted(found)[:_MOST_FINDINGS]]


def _is_main_block(statement: ast.stmt) -> bool:
    """Whether it is `if __name__ == "__main__":`, which is not run."""
    return isinstance(statement, ast.If) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in _walk(statement.test)
    )


def _loops(node: ast.AST, forbidden: Forbidden) -> Iterator[tuple[str, str]]:
    if forbidden.loops and type(node) in _LOOPS:
        yield "loops", _LOOPS[type(node)]


@dataclass(slots=True)
class _Names:
    """What names mean: `aliases` leads to dotted names, `own` are those that the submission defines, `stars` modules.

    `objects` are names of its classes and of their objects within methods, `members` those of their attributes.
    """

    aliases: dict[str, str] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)
    objects: set[str] = field(default_factory=lambda: {"self", "cls"})
    members: set[str] = field(default_factory=set)
    stars: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, nodes: list[ast.AST]) -> _Names:
        """The names of a whole file, whatever their scope."""
        names = cls()
        for node in nodes:
            names._note(node)
        assigned = [node for node in nodes if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr)]
        # An alias of an alias may stand before it.
        for _ in range(_ROUNDS):
            before = len(names.aliases)
            for node in assigned:
                names._note_alias(node)
            if len(names.aliases) == before:
                break
        names.own -= names.aliases.keys()
        return names

    def _note(self, node: ast.AST) -> None:
        match node:
            case ast.Import():
                for item in node.names:
                    name = item.asname or item.name.partition(".")[0]
                    self.aliases[name] = item.name if item.asname else name
            case ast.ImportFrom():
                self._note_import(node)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self.own.add(name)
                self.members.add(name)
            case ast.ClassDef(name=name):
                self.own.add(name)
                self.objects.add(name)
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                self.own.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                self.members.add(name)

    def _note_import(self, node: ast.ImportFrom) -> None:
        for item in node.names:
            if item.name == "*":
                self.stars.append(node.module or "")
            else:
                self.aliases[item.asname or item.name] = f"{node.module or ''}.{item.name}"

    def _note_alias(self, node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        meant = self.dotted(node.value) if node.value is not None else ""
        for target in targets:
            if isinstance(target, ast.Name) and meant and target.id not in self.aliases:
                self.aliases[target.id] = meant

    def dotted(self, node: ast.AST) -> str:
        """The dotted name that an expression means, as far as imports tell; "" where they do not."""
        parts: list[str] = []
        while True:
            if isinstance(node, ast.Attribute):
                parts.append(node.attr)
                node = node.value
            elif isinstance(node, ast.Call) and (named := _named_attribute(node)):
                parts.append(named)
                node = node.args[0]
            else:
                break
        if not isinstance(node, ast.Name) or node.id not in self.aliases:
            return ""
        return ".".join([self.aliases[node.id], *reversed(parts)])

    def meanings(self, node: ast.Name) -> list[str]:
        """What a name that is read may mean: what was imported, else itself or what a star may have brought."""
        if node.id in self.aliases:
            return [self.aliases[node.id]]
        if node.id in self.own:
            return []
        return [node.id, *(f"{module}.{node.id}" for module in self.stars)]


def _named_attribute(node: ast.AST) -> str:
    """The name in `getattr(thing, "name")`; "" for any other expression."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str() as name), *_]):
            return name
    return ""


def _forbidden_names(node: ast.AST, names: _Names, forbidden: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    meant = _meant(node, names)
    for name in forbidden:
        if any(_is_meant(name, dotted) for dotted in meant):
            yield "names", name


def _meant(node: ast.AST, names: _Names) -> list[str]:
    """The names that a node uses: dotted ones where they are known, an attribute of something else as `?.attribute`."""
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module or ''}.{item.name}" for item in node.names]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return names.meanings(node)
    is_read = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    attribute = node.attr if is_read else _named_attribute(node)  # type: ignore[attr-defined]  # an attribute that is read
    if not attribute or _is_own(node, names):
        return []
    return [names.dotted(node) or f"?.{attribute}"]


def _is_own(node: Any, names: _Names) -> bool:
    """Whether it is an attribute of the submission's own object or class, and defined there."""
    match node:
        case ast.Attribute(value=ast.Name(id=base), attr=attribute):
            return attribute in names.members and base in names.objects
    return False


def _is_meant(forbidden: str, dotted: str) -> bool:
    """A dotted name forbids itself and all within it; a bare one, whatever ends in it."""
    if "." in forbidden:
        return dotted == forbidden or dotted.startswith(f"{forbidden}.")
    return dotted.rpartition(".")[2] == forbidden
