"""Random kernels that are about where threads read and write: which adjoint sums may be plain, and which must be atomic.

A kernel is a few guarded statements, each with indices of one to three dimensions: strided, wrapped, permuted, by pointers that were
moved. What the threads of a launch touch is worked out here as well, so it is known in which launches the kernel itself is free of
races, and which arrays each thread has for itself.
"""

import collections
import random
import re

from tree import Kernel, Node

PARAMETERS = "int n, int h, int ld, const int *perm, const real *x, const real *w, real *y, real *s"
N, H, LD = 10, 5, 12
PERM = [(7 * i + 3) % 64 for i in range(64)]
Launch = collections.namedtuple("Launch", "grid block")
# In most of them some dimension is used by no kernel, or by some kernels only.
LAUNCHES = [Launch((3, 1, 1), (4, 1, 1)), Launch((2, 2, 1), (4, 3, 1)), Launch((2, 1, 2), (3, 2, 2)), Launch((1, 1, 1), (5, 4, 1)),
            Launch((2, 2, 2), (4, 1, 1)), Launch((1, 3, 1), (6, 1, 2)), Launch((1, 1, 1), (12, 1, 1)), Launch((12, 1, 1), (1, 1, 1)),
            Launch((1, 2, 3), (1, 3, 2)), Launch((4, 1, 1), (1, 4, 1))]
LONG = {"i": "blockIdx.x * blockDim.x + threadIdx.x", "j": "blockIdx.y * blockDim.y + threadIdx.y",
        "l": "blockIdx.z * blockDim.z + threadIdx.z"}

BASES = ["i", "i", "i", "i + 1", "i * 2", "i * 3 + 1", "n + 50 - i", "perm[i]", "perm[i] * 2", "perm[perm[i]]", "j * ld + i", "i * h + j",
         "j * n + i", "(l * h + j) * ld + i", "l * 400 + j * ld + i", "blockIdx.x * 16 + threadIdx.x", "blockIdx.x * blockDim.x + threadIdx.x",
         "threadIdx.x", "blockIdx.x", "blockIdx.x + gridDim.x * threadIdx.x", "j", "l", "i / 2", "(i + 3) % n", "i % 7", "i & 3", "i ^ 1",
         "threadIdx.y * blockDim.x + threadIdx.x", "blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x",
         "i - threadIdx.x", "2 * i - threadIdx.x", "i + j", "i * 2 + j", "i * j", "0", "n", "blockIdx.y * gridDim.x + blockIdx.x",
         "(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x", "i * 8 + l", "i + j * 64 + l * 1024",
         # moved round in a range, and planes of such
         "(i + 1) % ld", "(i - 1 + ld) % ld", "(i + 2) % ld", "j * ld + (i + 1) % ld", "(j + h - 1) % h * ld + i", "j * ld + i + h * ld",
         "(j + 1) % h * ld + (i + ld - 1) % ld + 2 * h * ld", "(i % ld + 1) % ld + i / ld * ld", "(i + 1 < ld ? i + 1 : 0)",
         "j * ld + (i > 0 ? i - 1 : ld - 1)", "(j == 0 ? h - 1 : j - 1) * ld + (i + 1 == ld ? 0 : i + 1)", "(i + 1 < ld ? i + 1 : 1)",
         "(i > 1 ? i - 1 : ld - 1)", "(i < 1 ? 0 : i - 1)", "i / ld * ld + i % ld", "i % ld * h + i / ld"]
WRAPPED = BASES[-16:]
LOOPED = ["i * 4 + k", "k * n + i", "k * 64 + i", "i + k", "i * 2 + k", "k", "perm[k]", "i * 3 + k", "(i + k) % n", "j * ld + k", "(k * h + j) * ld + i", "k * h * ld + j * ld + (i + 1) % ld", "(k * h + (j + 1) % h) * ld + i",
          "j * ld + (i + k) % ld", "k * h * ld + (i + 1) % ld",
          # any number of rows further, in the same column
          "(3 - k) * n + i", "(k + 2) * n + i", "k * 2 * n + i", "(k * k + 1) * n + i", "k * n * h + j * n + i", "k * ld + i % ld",
          "(3 - k) * ld + i", "(k + k * i) * n + i", "k * n + i + h", "k * (n + 1) + i",
          "i * 64 + k * 2", "perm[i] * 4 + k", "k * ld + threadIdx.x", "i * h + k"]
OWNED = ["i", "i", "i", "i + 1", "i * 2", "i * 3 + 1", "n + 50 - i", "perm[i]", "j * ld + i", "(l * h + j) * ld + i", "l * 400 + j * ld + i",
         "blockIdx.x * blockDim.x + threadIdx.x", "i + j * 64 + l * 1024", "blockIdx.x * 16 + threadIdx.x",
         "blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x"]  # most launches give them to one thread
GUARDS = ["i < n", "i < n", "i < n && j < h", "threadIdx.x == 0", "threadIdx.y == 0", "i % 2 == 0", "i > 2 && i < n", "threadIdx.x < 4",
          "blockIdx.x == 0", "j == 0", "j == 0 && l == 0", "perm[i] < 30", "threadIdx.y == 0 && blockIdx.y == 0", "i == 3", "i < ld && j < h", "i < ld && j < h", "i < ld", "i < h * ld", "i < n && j < h"]


class Access:
    def __init__(self, array, how, index):
        self.array, self.how, self.index = array, how, index  # how: read, write, atomic


class Step:
    """A statement under a guard, in a loop of `trips` turns over k."""

    def __init__(self, guard, trips, accesses):
        self.guard, self.trips, self.accesses = guard, trips, accesses


def without_choice(text):
    """(a ? b : c), the first one, as Python writes it."""
    at = text.index(" ? ")
    depth, begin = 1, at
    while depth:
        begin -= 1
        depth += {")": 1, "(": -1}.get(text[begin], 0)
    depth, end = 1, at
    while depth:
        end += 1
        depth += {"(": 1, ")": -1}.get(text[end], 0)
    yes, no = text[at + 3:end].split(" : ")
    return f"{text[:begin]}(({yes}) if ({text[begin + 1:at]}) else ({no})){text[end + 1:]}"


def as_python(text):
    text = re.sub(r"\b(thread|block)(Idx|Dim)\.(\w)", r"\1\2_\3", text)
    while " ? " in text:
        text = without_choice(text)
    return re.sub(r"\bgridDim\.(\w)", r"gridDim_\1", text).replace("/", "//").replace("&&", " and ")


def threads_of(launch):
    """What every thread of a launch sees."""
    (gx, gy, gz), (bx, by, bz) = launch
    for block in range(gx * gy * gz):
        for thread in range(bx * by * bz):
            see = {"blockIdx_x": block % gx, "blockIdx_y": block // gx % gy, "blockIdx_z": block // (gx * gy),
                   "threadIdx_x": thread % bx, "threadIdx_y": thread // bx % by, "threadIdx_z": thread // (bx * by), "blockDim_x": bx,
                   "blockDim_y": by, "blockDim_z": bz, "gridDim_x": gx, "gridDim_y": gy, "gridDim_z": gz, "n": N, "h": H, "ld": LD,
                   "perm": PERM}
            for name, axis in (("i", "x"), ("j", "y"), ("l", "z")):
                see[name] = see[f"blockIdx_{axis}"] * see[f"blockDim_{axis}"] + see[f"threadIdx_{axis}"]
            yield (block, thread), see


class Touched:
    """Which threads touch which elements in a launch."""

    def __init__(self, steps, launch):
        self.by = collections.defaultdict(lambda: collections.defaultdict(set))  # array: element: {(thread, how)}
        code = [(compile(as_python(step.guard or "True"), "guard", "eval"), step.trips,
                 [(a.array, a.how, compile(as_python(a.index), a.index, "eval")) for a in step.accesses]) for step in steps]
        for thread, see in threads_of(launch):
            for guard, trips, accesses in code:
                if not eval(guard, {}, see):  # pylint: disable=eval-used
                    continue
                for k in range(max(trips, 1)):
                    see["k"] = k
                    for array, how, index in accesses:
                        self.by[array][eval(index, {}, see)].add((thread, how))  # pylint: disable=eval-used

    def is_free_of_races(self):
        for elements in self.by.values():
            for uses in elements.values():
                if any(how == "write" for _, how in uses) and len({thread for thread, _ in uses}) > 1:
                    return False
                if len({how for _, how in uses}) > 1 and any(how == "atomic" for _, how in uses):
                    return False
        return True

    def is_exclusive(self, array):
        return all(len({thread for thread, _ in uses}) == 1 for uses in self.by[array].values())

    def size(self, array):
        return max(self.by[array], default=0) + 1

    def fits(self):
        return all(0 <= element < 4000 for elements in self.by.values() for element in elements)


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.moved = self.random.choice([0, 0, 0, 2, 5])  # q = x + moved

    def chance(self, probability):
        return self.random.random() < probability

    def index(self, looped):
        text = self.random.choice(LOOPED if looped and self.chance(0.7) else WRAPPED if self.chance(0.2) else BASES)
        if self.chance(0.2):
            text = f"({text}) * {self.random.randint(2, 3)} + {self.random.randint(0, 2)}"
        elif self.chance(0.1):
            text = f"{text} + {self.random.randint(1, 3)}"
        elif self.chance(0.08):
            text = f"({text}) % {self.random.choice([5, 8, 'n'])}"
        if self.chance(0.15):
            for name, long in LONG.items():
                text = re.sub(rf"\b{name}\b", f"({long})", text)
        return text

    def like(self, index):
        """An index that has to do with another one."""
        return self.random.choice([index, index, index, f"{index} + {self.random.randint(1, 3)}", f"({index}) * 2", f"{index} + h * ld", self.random.choice(WRAPPED),
                                   f"({index}) * 3 + {self.random.randint(0, 2)}", f"({index}) / 2", f"perm[({index}) % 64]"])

    def step(self, outputs):
        looped = self.chance(0.3)
        trips = self.random.choice([3, 4]) if looped else 0
        reads = [Access(self.random.choice("xxw"), "read", self.index(looped)) for _ in range(self.random.randint(1, 3))]
        if outputs and self.chance(0.5):  # the same places as what was written before, or read
            reads[0].index = self.random.choice(outputs)
        how = self.random.choice(["write", "write", "write", "atomic"])
        target = Access("y" if how == "write" else "s", how, self.index(looped and self.chance(0.3)))
        if self.chance(0.7):
            target.index = self.random.choice(OWNED)
        for read in reads:
            if self.chance(0.6):
                read.index = self.like(target.index)
        outputs.append(target.index if "k" not in re.findall(r"\w+", target.index) else "i")
        return Step(self.random.choice(GUARDS) if self.chance(0.7) else "", trips, [target, *reads])

    def statement(self, step):
        target, reads = step.accesses[0], step.accesses[1:]
        looped_target = "k" in re.findall(r"\w+", target.index)

        def load(access):
            if access.array == "x" and self.moved and self.chance(0.5):
                access.index = f"({access.index}) + {self.moved}"
                return f"q[{access.index.rsplit(' + ', 1)[0]}]"
            return f"{access.array}[{access.index}]"

        loads = [load(access) for access in reads]
        value = " * ".join(loads) if self.chance(0.5) else " + ".join(f"sin({each})" for each in loads)
        in_place = target.how == "write" and self.chance(0.3)
        stored = f"0.5 * y[{target.index}] + " + value if in_place else value

        def store(what):
            return Node(f"atomicAdd(&s[{target.index}], {what});" if target.how == "atomic" else f"y[{target.index}] = {what};")

        if not step.trips:
            body = [store(stored)]
        elif looped_target:
            body = [Node(f"for (int k = 0; k < {step.trips}; ++k)", [[store(stored)]])]
        else:
            body = [Node("real sum = 0.0;"), Node(f"for (int k = 0; k < {step.trips}; ++k)", [[Node(f"sum += {value};")]]), store("sum")]
        if step.guard:
            return Node(f"if ({step.guard})", [body])
        return Node("", [body]) if len(body) > 1 else body[0]


def make(seed):
    """The first of a row of random kernels that is free of races in some launch."""
    for attempt in range(1000):
        maker = Maker(seed * 1000 + attempt)
        outputs = []
        steps = [maker.step(outputs) for _ in range(maker.random.choice([1, 1, 2, 3]))]
        statements = [maker.statement(step) for step in steps]
        words = set(re.findall(r"\w+", "\n".join(line for each in statements for line in each.lines(0))))
        body = [Node(f"int {name} = {long};") for name, long in LONG.items() if name in words]
        if "q" in words:
            body.append(Node(f"const real *q = x + {maker.moved};"))
        body += statements
        touched = [Touched(steps, launch) for launch in LAUNCHES]
        kernel = Kernel(f"k{seed}", PARAMETERS, body)
        if not all(each.fits() for each in touched):
            continue
        kernel.launches = [number for number, each in enumerate(touched) if each.is_free_of_races()]
        kernel.sizes = {array: max(each.size(array) for each in touched) for array in "xwys"}
        kernel.exclusive = {array: {number: touched[number].is_exclusive(array) for number in kernel.launches}
                            for array in "xw" if any(touched[number].by[array] for number in kernel.launches)}
        if kernel.launches:
            return kernel
    raise RuntimeError(f"seed {seed} gives nothing")
