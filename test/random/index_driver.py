"""The program that checks a file of kernels of indices.py in every launch in which they are free of races."""

import re

from indices import H, LAUNCHES, LD, N, PERM

HEAD = """// usage: program BLOCK ORDER
#include "%(generated)s"

#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = %(n)d, h = %(h)d, ld = %(ld)d;
  const std::vector<int> perm = {%(perm)s};
  const gpuad::launch launches[] = {
%(launches)s
  };
"""


def program(kernels, generated, has_adjoint):
    launches = "\n".join(f"      {{dim3{launch.grid}, dim3{launch.block}}}," for launch in LAUNCHES)
    lines = [HEAD % {"generated": generated, "n": N, "h": H, "ld": LD, "perm": ", ".join(map(str, PERM)), "launches": launches}]
    for kernel in kernels:
        if not has_adjoint(kernel.name):
            continue
        for number in kernel.launches:
            arguments = ", ".join(f"{role}<double>({kernel.sizes[name]})" for name, role in
                                  (("x", "in"), ("w", "in"), ("y", "through"), ("s", "through")))
            lines.append(f"  GPUAD_CHECK({kernel.name}, launches[{number}], plain(n), plain(h), plain(ld), constant(perm), {arguments});")
    return "\n".join(lines + ["  return verdict();", "}"]) + "\n"


def holds_in(launch, body, array):
    """Whether the sums of an array are plain in a launch: some are only where it has no further dimensions."""
    added = re.findall(rf"add\w*_apart\(&?{array}_bar\b[^;]*,\s+(\w+)\);", body)
    conditions = [re.search(rf"\b{name} = ([^,;]*)", body).group(1) for name in added]
    if not any(re.search(r"\bis_flat\b", text) for text in added + conditions):
        return True
    flat = re.search(r"\bis_flat = ([^,;]*)", body).group(1).replace("gpuad::one_dimensional()",
        "blockDim.y == 1 && blockDim.z == 1 && gridDim.y == 1 && gridDim.z == 1")
    extents = {"gridDim": launch.grid, "blockDim": launch.block}
    return all(extents[name]["xyz".index(dimension)] == 1 for name, dimension in re.findall(r"(\w+Dim)\.(\w) == 1", flat))


def sums(kernels, generated):
    """(kernel, array, whether its adjoint is added to by atomics, whether each thread has its elements for itself)"""
    for kernel in kernels:
        found = re.search(rf"__global__ void {kernel.name}_adjoint\([^;{{]*\{{(.*?)^\}}", generated, re.S | re.M)
        for array, exclusive in kernel.exclusive.items() if found else []:
            is_exclusive = all(own for number, own in exclusive.items() if holds_in(LAUNCHES[number], found.group(1), array))
            is_atomic = re.search(rf"\b(?:atomicAdd|\w*(?:atomic|block|warp)_add\w*)\(&?{array}_bar\b", found.group(1)) is not None
            if is_atomic or f"{array}_bar[" in found.group(1):
                yield kernel.name, array, is_atomic, is_exclusive


def unsound(kernels, generated):
    """Sums that are plain where two threads meet, in a launch in which the kernel itself is free of races."""
    return [(kernel, f"{array}_bar is added to without atomics, and two threads come to one element")
            for kernel, array, is_atomic, is_exclusive in sums(kernels, generated) if not is_atomic and not is_exclusive]


def count(kernels, generated):
    """How the inputs' adjoints are added to, and how many of the atomics have no reason in any of the launches."""
    counts = {}
    for _, _, is_atomic, is_exclusive in sums(kernels, generated):
        key = "sums that are " + ("plain" if not is_atomic else "atomic, though no two threads met in any launch" if is_exclusive else
                                  "atomic, and have to be")
        counts[key] = counts.get(key, 0) + 1
    return counts
