"""The statements of random kernels: loops of every kind, exits, carried scalars, local arrays, calls. See loops.py."""

from loops import ELEMENTS, PARAMETERS, Expressions, Scope
from tree import Kernel, Node

MOST_TRIPS = 100  # of all loops around a statement


class Nests(Expressions):
    def __init__(self, seed, name):
        super().__init__(seed)
        self.kernel_name = name
        self.functions = []
        self.budget = self.random.randint(8, 26)  # statements
        self.real = "float" if self.chance(0.12) else "double"
        self.own = self.random.choice(["{0}", "{0} * 4 + {1}", "{0} * 4 + {1}", "{1} * n + {0}"])
        self.through = self.random.choice(["none", "add", "add", "store"])  # what is done with z

    # Places that belong to a thread

    def own_index(self, scope):
        choices = [name for name, (least, most) in scope.ints.items() if 0 <= least and most < 4 and name != "i"]
        which = self.random.choice(choices) if choices and self.chance(0.4) else str(self.random.randint(0, 3))
        return self.own.format("i", which)

    # Simple statements

    def assign(self, scope):
        target = self.random.choice(scope.values)
        kind = self.random.random()
        value = self.number(scope)
        if kind < 0.15:
            return [Node(f"{target} *= {self.lit(0.5)} * ({value});")]
        if kind < 0.25:
            return [Node(f"{target} = {self.lit(0.8)} * {target} + {self.lit(0.2)} * ({value});")]
        if kind < 0.35:
            return [Node(f"{target} -= {self.lit(0.25)} * {target} * cos({value});")] if self.chance(0.3) else [
                Node(f"{target} = sin({target}) + {self.lit(0.5)} * ({value});")]
        return [Node(f"{target} = {value};")]

    def assign_branch(self, scope):
        first, second = self.assign(scope), self.assign(scope)
        return [Node(f"if ({self.condition(scope)})", [first, second] if self.chance(0.5) else [first])]

    def add(self, scope):
        if not scope.sums:
            return self.assign(scope)
        factor = self.coefficient(0.2, 0.9)
        return [Node(f"{self.random.choice(scope.sums)} {self.random.choice(['+=', '+=', '-='])} {factor} * ({self.number(scope)});")]

    def temporary(self, scope):
        name = self.name("t")
        made = Node(f"{self.random.choice(['const real', 'real'])} {name} = {self.number(scope, 3)};")
        scope.fixed.append(name)
        return [made]

    def shift(self, scope):
        if len(scope.values) < 2:
            return self.assign(scope)
        a, b = self.random.sample(scope.values, 2)
        name = self.name("old")
        return [Node(f"real {name} = {a};"), Node(f"{a} = {self.number(scope)};"), Node(f"{b} = {name};")]

    def into_array(self, scope):
        if not scope.arrays:
            return self.assign(scope)
        name = self.random.choice(list(scope.arrays))
        return [Node(f"{name}[{self.index(scope, scope.arrays[name])}] = {self.number(scope)};")]

    def step_state(self, scope):
        if not scope.states:
            return self.assign(scope)
        name = self.random.choice(list(scope.states))
        text, least, _ = self.integer(scope)
        if least < 0:
            text = "1"
        return [Node(f"{name} = ({name} + {text} + 1) % {scope.states[name]};")]

    def output(self, scope):
        if not scope.is_kernel or self.through == "none":
            return self.add(scope)
        if self.through == "add" and self.chance(0.4):
            return [Node(f"atomicAdd(&bins[{self.index(scope, 8)}], {self.number(scope)});")]
        place = f"z[{self.own_index(scope)}]"
        if self.through == "add":
            return [Node(f"{place} {self.random.choice(['+=', '-='])} {self.number(scope)};")]
        return [Node(f"{place} = {self.lit(0.4)} * {place} + {self.lit(0.5)} * ({self.number(scope)});")]

    def call(self, scope):
        if not scope.is_kernel or len(self.functions) > 2:
            return self.assign(scope)
        name = f"{self.kernel_name}_part{len(self.functions) + 1}"
        kind = self.random.choice(["value", "value", "reference", "array"])
        if kind == "array" and not [a for a, size in scope.arrays.items() if size >= 2]:
            kind = "value"
        self.functions.append(None)
        at = len(self.functions) - 1
        inner = Scope()
        inner.is_kernel, inner.inputs = False, ["w"]
        inner.ints = {"m": (0, 3)}
        inner.trips = scope.trips
        inner.values, inner.fixed = ["a"], ["b"]
        if kind == "array":
            inner.values, inner.arrays = [], {"s": 2}
        heads = {"value": f"__device__ real {name}(int m, real a, real b, const real *w)",
                 "reference": f"__device__ void {name}(int m, real &a, real b, const real *w)",
                 "array": f"__device__ void {name}(int m, real *s, real b, const real *w)"}
        outer, self.budget = self.budget, min(self.budget, 5)
        body = self.locals(inner, 1) + self.body(inner, 3, "value" if kind == "value" else "void")
        self.budget = outer - 2
        if kind == "value":
            body.append(Node(f"return {self.number(inner)};"))
        self.functions[at] = Node(heads[kind], [body])
        text, least, most = self.integer(scope)
        bound = text if 0 <= least and most <= 3 else "m"
        if kind == "value":
            target = self.random.choice(scope.values)
            return [Node(f"{target} = {name}({bound}, {self.number(scope)}, {self.atom(scope)}, w);")]
        if kind == "reference":
            return [Node(f"{name}({bound}, {self.random.choice(scope.values)}, {self.number(scope)}, w);")]
        array = self.random.choice([a for a, size in scope.arrays.items() if size >= 2])
        return [Node(f"{name}({bound}, {array}, {self.number(scope)}, w);")]

    # Exits

    def leave(self, scope, returns):
        if not scope.loop:
            return self.assign_branch(scope)
        kind = self.random.random()
        if kind < 0.4:
            out = [Node("break;")]
        elif kind < 0.75:
            out = [Node("continue;")]
        elif returns == "value":
            out = [Node(f"return {self.number(scope)};")]
        elif returns == "void" and scope.is_kernel and self.chance(0.7):
            out = [Node(f"y[{self.own_index(scope)}] = {self.number(scope)};"), Node("return;")]
        else:
            out = [Node("return;" if returns == "void" else "break;")]
        before = self.assign(scope) if self.chance(0.3) else []
        return [Node(f"if ({self.condition(scope)})", [before + out])]

    # Branches

    def branch(self, scope, returns):
        first, second = Scope(scope), Scope(scope)
        bodies = [self.body(first, 2, returns)]
        if self.chance(0.5):
            bodies.append(self.body(second, 2, returns))
        return [Node(f"if ({self.condition(scope)})", bodies)]

    def switch(self, scope, returns):
        text, least, _ = self.integer(scope)
        if least < 0:
            return self.branch(scope, returns)
        labels = [f"case {label}:" for label in range(self.random.randint(1, 3))]
        labels.insert(self.random.randint(0, len(labels)) if self.chance(0.3) else len(labels), "default:")
        inner = []
        for label in labels:
            inner.append(Node(label))
            inner += self.assign(scope)
            if self.chance(0.35):  # leaves on the way, and then perhaps falls into the next case
                inner += self.leave_case(scope) + self.assign(scope)
            if self.chance(0.6):
                inner.append(Node("break;"))
        return [Node(f"switch (({text}) % 4)", [inner])]

    def leave_case(self, scope):
        out = Node("continue;") if scope.loop and self.chance(0.3) else Node("break;")
        return [Node(f"if ({self.condition(scope)})", [(self.assign(scope) if self.chance(0.3) else []) + [out]])]

    # Loops. Each gives the statements before it and the loop, whose body is made in a scope with the counter.

    def trips(self, scope, most=5):
        """A bound for the trips of a loop from zero: (text, most)."""
        kind = self.random.random()
        if kind < 0.4:
            return "m", 3
        if kind < 0.6:
            value = self.random.randint(2, 4)
            return str(value), value
        text, least, top = self.integer(scope)
        return (text, top) if 0 <= least and 0 < top <= most else ("m", 3)

    def inside(self, scope, trips, ints=None):
        inner = Scope(scope)
        inner.loop, inner.depth, inner.trips = "plain", scope.depth + 1, scope.trips * max(trips, 1)
        inner.ints.update(ints or {})
        return inner

    def loop(self, scope, returns):
        makers = [self.counted, self.counted, self.counted, self.down, self.strided, self.triangular, self.changing_bound, self.doubling,
                  self.countdown, self.do_loop, self.endless, self.halving, self.marching, self.bumped]
        if scope.is_kernel:
            makers += [self.chain, self.segment, self.loaded_bound]
        maker = self.random.choice(makers)
        return maker(scope, returns)

    def inner_body(self, inner, returns):
        return self.body(inner, self.random.randint(1, 4), returns)

    def counted(self, scope, returns):
        k, (bound, most) = self.name("k"), self.trips(scope)
        start = self.random.choice(["0", "0", "1"])
        if self.chance(0.3):
            return self.counted_as_in_c(scope, returns, k, bound, most, start)
        inner = self.inside(scope, most, {k: (0, most - 1)})
        head = f"for ({self.random.choice(['int', 'int', 'unsigned'])} {k} = {start}; {k} < {bound}; {self.random.choice(['++' + k, k + '++', k + ' += 1'])})"
        return [Node(head, [self.inner_body(inner, returns)])]

    def counted_as_in_c(self, scope, returns, k, bound, most, start):
        """The counter is declared before the loop, and may be read behind it."""
        inner = self.inside(scope, most, {k: (0, most - 1)})
        step = self.random.choice(["1", "1", "2"])
        head = f"for ({k} = {start}; {k} < {bound}; {self.random.choice([k + '++', '++' + k]) if step == '1' else k + ' += 2'})"
        loop = Node(head, [self.inner_body(inner, returns)])
        scope.ints[k] = (0, max(most, 1) + 1)
        return [Node(f"int {k};"), loop]

    def down(self, scope, returns):
        k, (bound, most) = self.name("k"), self.trips(scope)
        inner = self.inside(scope, most, {k: (0, most)})
        head = self.random.choice([f"for (int {k} = {bound}; {k} > 0; --{k})", f"for (int {k} = {bound} - 1; {k} >= 0; {k}--)",
                                   f"for (unsigned {k} = {bound}; {k}-- > 0;)", f"for (int {k} = {bound}; {k} > 0; {k} -= 2)"])
        return [Node(head, [self.inner_body(inner, returns)])]

    def strided(self, scope, returns):
        k, stride = self.name("k"), self.random.choice(["2", "3", "(m + 1)"])
        inner = self.inside(scope, 4, {k: (0, 7)})
        return [Node(f"for (int {k} = {self.random.choice(['0', '1'])}; {k} < {self.random.choice(['2 * m', '7', 'm + 3'])}; {k} += {stride})",
                     [self.inner_body(inner, returns)])]

    def triangular(self, scope, returns):
        choices = [name for name, (least, most) in scope.ints.items() if 0 <= least and most <= 4 and name not in ("m", "i")]
        if not choices:
            return self.counted(scope, returns)
        k, outer = self.name("k"), self.random.choice(choices)
        inner = self.inside(scope, 4, {k: (0, 4)})
        head = self.random.choice([f"for (int {k} = 0; {k} <= int({outer}); ++{k})", f"for (int {k} = {outer}; {k} < m; ++{k})"])
        return [Node(head, [self.inner_body(inner, returns)])]

    def changing_bound(self, scope, returns):
        k, bound, (text, most) = self.name("k"), self.name("bound"), self.trips(scope)
        inner = self.inside(scope, most, {k: (0, most)})
        body = self.inner_body(inner, returns)
        if self.chance(0.5):
            body.insert(0, Node(f"if ({k} == 1)", [[Node(f"{bound} -= 1;")]]))
        return [Node(f"int {bound} = {text};"), Node(f"for (int {k} = 0; {k} < {bound}; ++{k})", [body]),
                Node(f"{bound} = {self.random.randint(0, 2)};"),
                Node(f"for (int {k} = 0; {k} < {bound}; ++{k})", [self.assign(self.inside(scope, 2, {k: (0, 1)}))])]

    def doubling(self, scope, returns):
        k = self.name("k")
        inner = self.inside(scope, 4, {k: (0, 8)})
        head = self.random.choice([f"for (int {k} = 1; {k} < 3 * m; {k} *= 2)", f"for (int {k} = 8; {k} > 0; {k} /= 2)",
                                   f"for (int {k} = 1; {k} <= 4; {k} <<= 1)"])
        return [Node(head, [self.inner_body(inner, returns)])]

    def countdown(self, scope, returns):
        left, (text, most) = self.name("left"), self.trips(scope)
        inner = self.inside(scope, most, {left: (-1, most)})
        step = self.random.choice([f"--{left};", f"{left} -= 2;", f"{left} = {left} - 1;"])
        return [Node(f"int {left} = {text};"), Node(f"while ({left} > 0)", [[Node(step)] + self.inner_body(inner, returns)])]

    def do_loop(self, scope, returns):
        q, (text, most) = self.name("q"), self.trips(scope)
        inner = self.inside(scope, most + 1, {q: (0, most + 1)})
        return [Node(f"int {q} = 0;"), Node("do", [self.inner_body(inner, returns)], f"while (++{q} < {text});")]

    def endless(self, scope, returns):
        q, (text, most) = self.name("q"), self.trips(scope)
        inner = self.inside(scope, most + 1, {q: (0, most + 1)})
        head = self.random.choice(["for (;;)", "while (true)"])
        exit_ = Node(f"if ({q} >= {text})", [[Node("break;")]])
        return [Node(f"int {q} = 0;"), Node(head, [[exit_, Node(f"++{q};")] + self.inner_body(inner, returns)])]

    def halving(self, scope, returns):
        """A trip count by an active value, which never comes near the level."""
        s, trips = self.name("s"), self.random.randint(1, 4)
        inner = self.inside(scope, trips)
        inner.fixed.append(s)
        start = f"u[{self.index(scope, ELEMENTS)}]" if scope.is_kernel else self.lit(1)
        body = [Node(f"{s} *= {self.lit(0.5)};")] + self.inner_body(inner, returns)
        return [Node(f"real {s} = {start};"), Node(f"while ({s} > {self.lit(0.7 * 0.5 ** trips)})", [body])]

    def marching(self, scope, returns):
        if not scope.is_kernel:
            return self.counted(scope, returns)
        k, far, level = self.name("k"), self.name("far"), self.random.choice([1.5, 2.5, 3.45])
        inner = self.inside(scope, 4, {k: (0, 4)})
        inner.fixed.append(f"tanh({far})")
        body = [Node(f"{far} += u[i];"), Node(f"if ({far} > {self.lit(level)})", [[Node("break;")]])] + self.inner_body(inner, returns)
        return [Node(f"real {far} = {self.lit(0)};"), Node(f"for (int {k} = 0; {k} < {self.random.choice(['5', 'm', '1000'])}; ++{k})", [body])]

    def bumped(self, scope, returns):
        p, k = self.name("p"), self.name("k")
        source, start = ("x", "i") if scope.is_kernel else ("w", "0")
        inner = self.inside(scope, 3, {k: (0, 2)})
        inner.pointers[p] = 3
        body = self.inner_body(inner, returns)
        if self.chance(0.3) and not inner.ints.get("shadowed"):
            head = f"for (const real *{p} = {source} + {start}; {p} != {source} + {start} + m; ++{p})"
            inner = self.inside(scope, 3)
            inner.pointers[p] = 3
            return [Node(head, [self.inner_body(inner, returns)])]
        if self.chance(0.5):
            return [Node(f"const real *{p} = {source} + {start};"), Node(f"for (int {k} = 0; {k} < m; ++{k}, ++{p})", [body])]
        target = self.random.choice(scope.values) if scope.values else None
        bump = Node(f"{target} = {self.lit(0.5)} * {target} + {self.lit(0.4)} * *{p}++;") if target else Node(f"{p} += 2;")
        return [Node(f"const real *{p} = {source} + {start};"), Node(f"for (int {k} = 0; {k} < m; ++{k})", [[bump] + body])]

    def chain(self, scope, returns):
        p = self.name("p")
        inner = self.inside(scope, 5, {p: (0, ELEMENTS - 1)})
        return [Node(f"for (int {p} = i; {p} >= 0; {p} = next[{p}])", [self.inner_body(inner, returns)])]

    def segment(self, scope, returns):
        k = self.name("k")
        inner = self.inside(scope, 3, {k: (0, 3 * ELEMENTS - 1)})
        return [Node(f"for (int {k} = first[i]; {k} < first[i + 1]; ++{k})", [self.inner_body(inner, returns)])]

    def loaded_bound(self, scope, returns):
        k = self.name("k")
        inner = self.inside(scope, 4, {k: (0, 3)})
        return [Node(f"for (int {k} = 0; {k} < pick[{self.index(scope, ELEMENTS)}]; ++{k})", [self.inner_body(inner, returns)])]

    # Bodies

    def statement(self, scope, returns):
        self.budget -= 1
        deep = scope.depth >= 3 or scope.trips > MOST_TRIPS // 3 or self.budget < 0
        makers = [(self.assign, 5), (self.assign_branch, 2), (self.add, 3), (self.temporary, 2), (self.shift, 1), (self.into_array, 3),
                  (self.step_state, 1), (self.output, 2)]
        nested = [(self.loop, 5 if scope.depth == 0 else 3), (self.branch, 2), (self.switch, 1), (self.leave, 3 if scope.loop else 0)]
        if not deep:
            makers.append((self.call, 1))
        choices = [(maker, weight, False) for maker, weight in makers]
        if not deep:
            choices += [(maker, weight, True) for maker, weight in nested]
        maker, _, takes = self.random.choices(choices, [weight for _, weight, _ in choices])[0]
        if not scope.values and maker not in (self.into_array, self.temporary, self.loop):
            maker, takes = self.into_array, False
        return maker(scope, returns) if takes else maker(scope)

    def body(self, scope, count, returns):
        statements = []
        for _ in range(count):
            statements += self.statement(scope, returns)
        return statements

    def locals(self, scope, most):
        """Carried variables."""
        statements = []
        for _ in range(self.random.randint(1, most)):
            name = self.name("v")
            statements.append(Node(f"real {name} = {self.number(scope) if scope.is_kernel else self.lit(0.5)};"))
            scope.values.append(name)
        for _ in range(self.random.randint(0, 2)):
            name = self.name("sum")
            statements.append(Node(f"real {name} = {self.lit(self.random.choice([0, 0, 1]))};"))
            scope.sums.append(name)
        if self.chance(0.3):
            name, modulus = self.name("mode"), self.random.randint(2, 4)
            statements.append(Node(f"int {name} = {'i % 2' if scope.is_kernel else '1'};"))
            scope.ints[name], scope.states[name] = (0, modulus - 1), modulus
        if self.chance(0.45 if scope.is_kernel else 0.2):
            name, size = self.name("a"), self.random.randint(2, 4)
            values = ", ".join(self.number(scope, 1) for _ in range(size))
            if self.chance(0.4):
                k = self.name("k")
                statements += [Node(f"real {name}[{size}];"),
                               Node(f"for (int {k} = 0; {k} < {size}; ++{k})", [[Node(f"{name}[{k}] = {self.number(scope, 1)};")]])]
            else:
                statements.append(Node(f"real {name}[{size}] = {{{values}}};"))
            scope.arrays[name] = size
        return statements

    def result(self, scope):
        parts = [f"{self.coefficient()} * {value}" for value in scope.values]
        parts += [f"{self.lit(0.1)} * {each}" for each in scope.sums]
        parts += [f"{self.coefficient()} * {name}[{self.random.randrange(size)}]" for name, size in scope.arrays.items()]
        return [Node(f"y[{self.own.format('i', '0')}] = {' + '.join(parts)};")]

    def kernel(self):
        scope = Scope()
        scope.ints, scope.inputs, scope.fixed = {"m": (0, 3), "i": (0, ELEMENTS - 1)}, ["x", "w"], ["g"]
        shape = self.random.choice(["return", "return", "guard", "stride"])
        body = self.locals(scope, self.random.choice([1, 2, 3, 6]))
        returns = "none" if shape == "stride" else "void"
        body += self.loop(scope, returns) + self.body(scope, self.random.randint(1, 4), returns) + self.result(scope)
        index = "blockIdx.x * blockDim.x + threadIdx.x"
        if shape == "return":
            body = [Node(f"int i = {index};"), Node("if (i >= n)", [[Node("return;")]])] + body
        elif shape == "guard":
            body = [Node(f"int i = {index};"), Node("if (i < n)", [body])]
        else:
            body = [Node(f"for (int i = {index}; i < n; i += gridDim.x * blockDim.x)", [body])]
        kernel = Kernel(self.kernel_name, PARAMETERS, body, [each for each in reversed(self.functions) if each], self.real)
        kernel.few_threads = shape == "stride"
        return kernel


def make(seed):
    return Nests(seed, f"k{seed}").kernel()
