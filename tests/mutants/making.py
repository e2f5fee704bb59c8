"""The mutants of a source: for each place that can be broken, the source with that place broken."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

SWAPS: dict[type[ast.AST], ast.AST] = {
    one: to()
    for one, to in (
        (ast.Lt, ast.LtE), (ast.LtE, ast.Lt), (ast.Gt, ast.GtE), (ast.GtE, ast.Gt), (ast.Eq, ast.NotEq),
        (ast.NotEq, ast.Eq), (ast.Is, ast.IsNot), (ast.IsNot, ast.Is), (ast.In, ast.NotIn), (ast.NotIn, ast.In),
        (ast.Add, ast.Sub), (ast.Sub, ast.Add), (ast.Mult, ast.FloorDiv), (ast.FloorDiv, ast.Mult),
        (ast.And, ast.Or), (ast.Or, ast.And),
    )
}  # fmt: skip
NEGATING = ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn  # swapping these already negates the comparison


class Mutant(NamedTuple):
    """A source with one place broken: its line, the old and new text, and the whole source.

    `lines` are those of the broken statement. A compound statement ends before its first inner statement.
    """

    line: int
    breach: str
    source: str
    lines: range


def make_mutants(source: str) -> list[Mutant]:
    """Return the mutants of a source, from its first line to its last."""
    text, starts = source.encode(), [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = {}
    for node, new, lines in find_breaches(ast.parse(source), range(0)):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        head, tail = text[starts[node.lineno - 1] : begin], text[end : starts[node.end_lineno]]
        old, changed = (" ".join((head + what + tail).decode().split()) for what in (text[begin:end], new.encode()))
        if old != changed:
            broken = (text[:begin] + new.encode() + text[end:]).decode()
            found[begin, end, new] = Mutant(node.lineno, f"{old} → {changed}", broken, lines)
    return [found[place] for place in sorted(found)]


def find_breaches(node: ast.AST, lines: range) -> Iterator[tuple[ast.AST, str, range]]:
    """Yield the places below a node that can be broken, each with its replacement and the lines of its statement."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params") or isinstance(node, ast.JoinedStr):
            continue  # Python 3.11 does not know the places of the parts of an f-string
        if isinstance(node, ast.keyword) and node.arg == "strict":
            continue  # zip(a, b, strict=True) only says what is true
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                around = find_lines(child) if isinstance(child, ast.stmt | ast.match_case) else lines
                yield from ((place, new, around) for place, new in break_place(child))
                yield from find_breaches(child, around)


def find_lines(statement: ast.stmt | ast.match_case) -> range:
    """Return the lines of a statement, or of a compound statement up to its first inner statement."""
    inner = [node for node in ast.walk(statement) if isinstance(node, ast.stmt) and node is not statement]
    if isinstance(statement, ast.match_case):
        return range(statement.pattern.lineno, max(inner[0].lineno, statement.pattern.lineno + 1))
    end = min((node.lineno for node in inner), default=statement.end_lineno + 1)
    return range(statement.lineno, max(end, statement.lineno + 1))


def break_place(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield the ways to break one place."""
    match node:
        case ast.Expr(value=ast.Constant()):  # a docstring
            return
        case ast.Assign(targets=[ast.Name(id=name)]) if name[0].isupper() and not name.isupper():
            return  # a type
        case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.Assign(value=ast.Call(func=ast.Name(id="TypeVar"))):
            return  # only for readers and checkers of the code
        case ast.Assign(targets=[ast.Name(), *_], value=value) | ast.AnnAssign(value=value) | ast.Return(value=value):
            constant = isinstance(value, ast.Constant)
            if value is not None and not (constant and (value.value is False or not isinstance(node, ast.Return))):
                yield value, "None"
        case (
            ast.Expr() | ast.Assign() | ast.AugAssign() | ast.Delete() | ast.Raise()
        ):  # an assertion only says what is true
            yield node, "pass"
        case ast.Break() | ast.Continue():
            yield node, "pass"
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield from negate(test)
        case ast.comprehension(ifs=tests):
            for test in tests:
                yield from negate(test)
        case ast.Compare(left=left, ops=ops, comparators=others):
            for place, op in enumerate(ops):
                swapped = [*ops[:place], SWAPS[type(op)], *ops[place + 1 :]]
                yield node, ast.unparse(ast.Compare(left, swapped, others))
        case ast.BoolOp(op=op, values=values):
            yield node, f"({ast.unparse(ast.BoolOp(SWAPS[type(op)], values))})"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SWAPS:
            yield node, ast.unparse(ast.BinOp(left, SWAPS[type(op)], right))
        case ast.Constant(value=bool() as value):
            yield node, str(not value)
        case ast.Constant(value=int() as value):
            yield node, str(value + 1)


def negate(test: ast.expr) -> Iterator[tuple[ast.AST, str]]:
    """Yield the negation of a test, unless swapping its operator does the same."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], NEGATING)):
        yield test, ast.unparse(ast.UnaryOp(ast.Not(), test))
