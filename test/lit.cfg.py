# The text tests: a file's RUN lines, in the manner of LLVM. docs/testing.md lists the substitutions.
import os
import shlex

import lit.formats

config.name = "gpuad"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_dir, "test", "lit")

# The tools of this build and of this LLVM, and no others of the same name.
path = [os.path.join(config.build_dir, "bin"), config.llvm_tools_dir, config.environment["PATH"]]
config.environment["PATH"] = os.pathsep.join(path)

stub = os.path.join(config.test_source_root, "cuda_stub")
stub_flags = ["-x", "cuda", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version",
              "-isystem", stub, "-include", "cuda_runtime.h"]


def program(name):
    return os.path.join(config.build_dir, "bin", name)


config.substitutions += [
    ("%gpuad", program("gpuad-translate")),
    ("%cpucc", program("gpuad-cpucc")),
    ("%clang", config.clang),
    ("%stub", shlex.join(stub_flags)),
    ("%runtime", os.path.join(config.build_dir, "include")),
    ("%python", config.python),
]

# A test that needs one of these says so: "REQUIRES: cuda-toolkit".
if config.cuda_path:
    config.available_features.add("cuda-toolkit")
    config.substitutions.append(("%cuda", shlex.quote("--cuda-path=" + config.cuda_path)))
if config.nvcc:
    config.available_features.add("nvcc")
    config.substitutions.append(("%nvcc", config.nvcc + " -std=c++17"))
if os.path.exists(program("gpuad-cpucc")):
    config.available_features.add("cpucc")
