"""Which test cells of a lab depend on which answer, read from the names that the code binds and uses.

Statement by statement from the top: a name comes from an answer if the statement that binds it uses a name that does,
or stands in the answer's cell. A test depends on an answer if one of its statements uses such a name. The tests of the
answer's own exercise always depend on it, if they stand below it.

What it does not: follow what has no name, such as a random seed, a file, or an object that is changed in place.

    >>> names("y = f(x)\\nfor x in y: pass")
    [({'f', 'x'}, {'y'}), ({'y'}, {'x'})]
"""

from __future__ import annotations

import ast

from autograder import labs
from autograder.labs import Lab
from autograder.notebooks import grade_id

Names = tuple[set[str], set[str]]  # used from outside, bound


def dependent_tests(lab: Lab, answer: str) -> list[str]:
    """The test cells that depend on an answer cell, in the notebook's order."""
    own = next((set(e.points) for e in lab.exercises if answer in e.answers), set())
    from_answer: set[str] = set()
    tests, below = [], False
    for cell in (cell for cell in lab.notebook.cells if cell.cell_type == "code"):
        name, depends = grade_id(cell), False
        below |= name == answer
        for used, bound in names(cell.source):
            touched = name == answer or bool(used & from_answer)
            from_answer = from_answer | bound if touched else from_answer - bound
            depends |= touched
        if labs.kind(cell) == "test" and below and (depends or name in own):
            tests.append(str(name))
    return tests


def names(source: str) -> list[Names]:
    """For each statement of a cell, the global names that it takes from outside and those that it binds."""
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        statements = ast.parse(TransformerManager().transform_cell(source)).body
    except SyntaxError:
        return []
    return [_Reader().read(statement) for statement in statements]


class _Reader(ast.NodeVisitor):
    """Walks a statement in the order of its execution: a name that was bound before is not taken from outside."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self.bound: set[str] = set()

    def read(self, statement: ast.stmt) -> Names:
        self.visit(statement)
        return self.used, self.bound

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._use({node.id})
        else:
            self.bound.add(node.id)

    def _use(self, names_: set[str]) -> None:
        self.used |= names_ - self.bound

    def visit_Assign(self, node: ast.Assign) -> None:
        self._all(node.value, *node.targets)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._all(node.value, node.target)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._all(node.value, node.target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self._use({node.target.id})
        self._all(node.value, node.target)

    def visit_For(self, node: ast.For) -> None:
        self._all(node.iter, node.target, *node.body, *node.orelse)

    def visit_Import(self, node: ast.Import) -> None:
        self.bound |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.bound |= {alias.asname or alias.name for alias in node.names}

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self._all(node.type)
        self.bound |= {node.name} if node.name else set()
        self._all(*node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._all(*node.decorator_list)
        self._scope(node.args, *node.body)
        self.bound.add(node.name)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._all(*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords))
        self._scope(None, *node.body)
        self.bound.add(node.name)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._scope(node.args, node.body)

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        inner = _Reader()
        for part in node.generators:
            inner._all(part.iter, part.target, *part.ifs)
        inner._all(*([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]))
        self._use(inner.used)

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp

    def _scope(self, arguments: ast.arguments | None, *body: ast.AST) -> None:
        """A function's or class's body: what it binds stays inside."""
        inner = _Reader()
        if arguments:
            self._all(*arguments.defaults, *arguments.kw_defaults)
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
            inner.bound |= {argument.arg for argument in every if argument}
        inner._all(*body)
        self._use(inner.used)

    def _all(self, *nodes: ast.AST | None) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)
