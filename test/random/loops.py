"""Random kernels with nests of loops, the same for the same seed.

Every value is kept small and every branch away from a tie, so that difference quotients are good: an expression is at most 2 in size by
its shape, and conditions look at integers, at the sign of an input that is never near zero, or at u, which lies between 0.9 and 1.1.
Threads write only their own elements, and add into `bins` by atomics.
"""

import random

ELEMENTS = 13  # threads that have work; x, y and z have four elements for each
PARAMETERS = ("int n, int m, const int *pick, const int *next, const int *first, const real *u, const real *x, const real *w, "
              "real g, real *y, real *z, real *bins")
SIZES = {"x": 4 * ELEMENTS, "w": 16, "u": ELEMENTS}


class Scope:
    """What may be named at a place. A copy for each body, so that what is declared inside ends there."""

    def __init__(self, other=None):
        self.values = list(other.values) if other else []   # numbers that may be read and assigned
        self.fixed = list(other.fixed) if other else []     # numbers that may be read
        self.sums = list(other.sums) if other else []       # numbers that are added to
        self.ints = dict(other.ints) if other else {}       # name: (least, most)
        self.states = dict(other.states) if other else {}   # integers that may be assigned: modulus
        self.arrays = dict(other.arrays) if other else {}   # local arrays: size
        self.inputs = list(other.inputs) if other else ["x", "w"]
        self.pointers = dict(other.pointers) if other else {}  # name: how far it may be indexed
        self.depth = other.depth if other else 0
        self.trips = other.trips if other else 1             # of all loops around
        self.loop = other.loop if other else None            # "plain", or None outside loops
        self.is_kernel = other.is_kernel if other else True


class Expressions:
    """Random expressions over a scope."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.counter = 0
        self.real = "double"

    def chance(self, probability):
        return self.random.random() < probability

    def name(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    def lit(self, number):
        return f"{number:g}".replace("e", "0e") + ("" if "." in f"{number:g}" else ".0") + ("f" if self.real == "float" else "")

    def coefficient(self, least=0.1, most=0.9):
        return self.lit(round(self.random.uniform(least, most), 2) or 0.5)

    # Integers: (text, least, most)

    def integer(self, scope, depth=1):
        kind = self.random.random()
        if kind < 0.2 or not scope.ints:
            value = self.random.randint(0, 3)
            return str(value), value, value
        if kind < 0.75 or depth == 0:
            name = self.random.choice(list(scope.ints))
            return name, *scope.ints[name]
        left, right = self.integer(scope, depth - 1), self.integer(scope, depth - 1)
        if kind < 0.85:
            return f"({left[0]} + {right[0]})", left[1] + right[1], left[2] + right[2]
        if kind < 0.9:
            return f"{left[0]} * 2", 2 * left[1], 2 * left[2]
        if left[1] < 0:
            return left
        if kind < 0.95 or not scope.is_kernel:
            modulus = self.random.randint(2, 4)
            return f"{left[0]} % {modulus}", 0, modulus - 1
        return f"pick[{left[0]} % n]", 0, 4

    def index(self, scope, size, text=None):
        """An index below `size`."""
        text, least, most = self.integer(scope) if text is None else text
        if least < 0:
            text, least, most = f"({text} + {-least})", 0, most - least
        if most < size:
            return text
        return f"({text}) % {size}" if "%" not in text else f"({text}) % {size}"

    def condition(self, scope):
        kind = self.random.random()
        if kind < 0.2 and "x" in scope.inputs:
            return f"x[{self.index(scope, SIZES['x'])}] {self.random.choice('<>')} {self.lit(0.1)}"
        if kind < 0.3:
            joint = self.random.choice(["&&", "||"])
            return f"{self.parity(scope)} {joint} {self.parity(scope)}"
        return self.parity(scope)

    def parity(self, scope):
        text, least, most = self.integer(scope)
        if self.chance(0.3):
            return f"{text} {self.random.choice(['<', '>', '<=', '!='])} {self.random.randint(max(least, 0), max(most, 1))}"
        if least < 0:
            return f"{text} > 1"
        modulus = self.random.randint(2, 3)
        return f"({text}) % {modulus} {self.random.choice(['==', '!='])} {self.random.randint(0, modulus - 1)}"

    # Numbers of at most 2 in size

    def atom(self, scope):
        kind = self.random.random()
        if kind < 0.45 and scope.values:
            return self.random.choice(scope.values)
        if kind < 0.55 and scope.fixed:
            return self.random.choice(scope.fixed)
        if kind < 0.63 and scope.arrays:
            name = self.random.choice(list(scope.arrays))
            return f"{name}[{self.index(scope, scope.arrays[name])}]"
        if kind < 0.68 and scope.pointers:
            name = self.random.choice(list(scope.pointers))
            return f"{name}[{self.index(scope, scope.pointers[name])}]" if self.chance(0.5) else f"*{name}"
        if kind < 0.72 and scope.sums:
            return f"tanh({self.random.choice(scope.sums)})"
        if kind < 0.78 and scope.ints:
            text, least, most = self.integer(scope, 0)
            return f"{self.lit(round(1.5 / max(abs(least), abs(most), 1), 2))} * {text}"
        if scope.inputs:
            name = self.random.choice(scope.inputs)
            return f"{name}[{self.index(scope, SIZES[name])}]"
        return self.lit(0.7)

    def term(self, scope, depth):
        if depth == 0:
            return self.atom(scope)
        a, b = self.term(scope, depth - 1), self.term(scope, self.random.randint(0, depth - 1))
        c = self.coefficient()
        one, rest = self.lit(1), self.coefficient(0.1, 0.5)
        forms = [f"sin({a})", f"cos({a})", f"tanh({a})", f"({a}) / ({one} + ({b}) * ({b}))", f"{self.lit(0.8)} * sqrt({one} + ({a}) * ({a}))",
                 f"exp(-({a}) * ({a}))", f"log({self.lit(1.5)} + ({a}) * ({a}))", f"{self.lit(0.4)} * ({a}) * ({b})",
                 f"(({a}) - {rest} * ({b})) * {self.lit(0.6)}", f"{c} * ({a})", f"atan({a})", f"fma({a}, {rest}, {rest} * ({b}))",
                 f"({self.condition(scope)} ? {a} : {b})"]
        if scope.is_kernel and self.chance(0.1):
            return f"fabs(x[{self.index(scope, SIZES['x'])}])"
        return self.random.choice(forms)

    def number(self, scope, depth=2):
        text = self.term(scope, self.random.randint(1, depth))
        if self.chance(0.5):
            share = round(self.random.uniform(0.2, 0.7), 2)
            text = f"{self.lit(share)} * ({text}) + {self.lit(round(0.95 - share, 2))} * {self.atom(scope)}"
        return text
