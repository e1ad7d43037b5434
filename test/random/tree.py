"""Statements as trees, so that a program that fails can be made smaller statement by statement."""

import copy


class Node:
    """A line, or a head with bodies: `head {bodies[0]} else {bodies[1]} tail`."""

    def __init__(self, head, bodies=(), tail=""):
        self.head, self.bodies, self.tail = head, [list(body) for body in bodies], tail

    def lines(self, indent):
        space = "  " * indent
        if not self.bodies:
            return [space + self.head]
        text = []
        for number, body in enumerate(self.bodies):
            text.append(f"{space}{self.head} {{" if number == 0 else f"{space}}} else {{")
            for statement in body:
                text += statement.lines(indent + 1)
        return text + [space + "}" + (" " + self.tail if self.tail else "")]


class Kernel:
    """A kernel with the device functions that it calls."""

    def __init__(self, name, parameters, body, functions=(), real="double"):
        self.name, self.parameters, self.body = name, parameters, body
        self.functions, self.real = list(functions), real  # functions: nodes with one body
        self.few_threads = False  # launched with fewer threads than elements

    def text(self):
        lines = []
        for function in self.functions:
            lines += function.lines(0) + [""]
        lines.append(f"__global__ void {self.name}({self.parameters}) {{")
        for statement in self.body:
            lines += statement.lines(1)
        return "\n".join(lines + ["}"]) + "\n"

    def bodies(self):
        """Every list of statements, outer ones first."""
        waiting = [self.body] + [body for function in self.functions for body in function.bodies]
        while waiting:
            body = waiting.pop(0)
            yield body
            for statement in body:
                waiting += statement.bodies

    def smaller(self):
        """Copies with something taken out: whole functions, statements, or what is around a body."""
        for number in range(len(self.functions)):
            made = copy.deepcopy(self)
            del made.functions[number]
            yield made
        for where, body in enumerate(self.bodies()):
            for size in (4, 2, 1):
                for first in range(0, len(body), size):
                    made = copy.deepcopy(self)
                    del list(made.bodies())[where][first:first + size]
                    yield made
            for at, statement in enumerate(body):
                for inner in range(len(statement.bodies)):
                    made = copy.deepcopy(self)
                    target = list(made.bodies())[where]
                    target[at:at + 1] = target[at].bodies[inner]
                    yield made
                if len(statement.bodies) > 1:
                    made = copy.deepcopy(self)
                    del list(made.bodies())[where][at].bodies[1:]
                    yield made
