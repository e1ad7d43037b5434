"""The program that checks the derivatives of a file of random kernels, and what it includes."""

from loops import ELEMENTS, SIZES

HEAD = """// usage: program BLOCK ORDER M
#include "%(generated)s"

#include "harness.h"
#include "small_stack.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = %(elements)d, m = count > 3 ? std::atoi(arguments[3]) : 3;
  const gpuad::launch all = cover(n), few{dim3(2), dim3(3)};
  std::vector<int> pick(n), next(n), first(n + 1);
  for (int i = 0; i < n; ++i) {
    pick[i] = (3 * i + i / 4) %% 5;
    next[i] = i - 1 - (i * 5) %% 4 < 0 ? -1 : i - 1 - (i * 5) %% 4;
    first[i + 1] = first[i] + (2 * i + 1) %% 4;
  }
"""

ARGUMENTS = (f"plain(n), plain(m), constant(pick), constant(next), constant(first), in<R>({SIZES['u']}, {{0.9, 1.1}}), "
             f"in<R>({SIZES['x']}, {{0.5, 1.5, true}}), in<R>({SIZES['w']}), value<R>(), through<R>({4 * ELEMENTS}), "
             f"through<R>({4 * ELEMENTS}), through<R>(8)")


def program(kernels, generated, has_adjoint):
    """`has_adjoint` tells which of them have more than a tangent."""
    lines = [HEAD % {"generated": generated, "elements": ELEMENTS}]
    for kernel in kernels:
        where = "few" if kernel.few_threads else "all"
        arguments = ARGUMENTS.replace("<R>", f"<{kernel.real}>")
        name = kernel.name
        if not has_adjoint(name):
            lines.append(f'  numeric::check("{name}", {name}, launch_{name}_tangent, nullptr, nullptr, nullptr, {where}, {arguments});')
            continue
        lines.append(f"  GPUAD_CHECK({name}, {where}, {arguments});")
        lines.append(f'  small_stack::check("{name}", {name}_adjoint, {where}, {arguments});')
    return "\n".join(lines + ["  return verdict();", "}"]) + "\n"
