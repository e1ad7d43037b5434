// 0 done, 1 the input was refused, 2 bad usage; and no output is touched unless all went well.
// RUN: rm -rf %t && mkdir %t
// RUN: %gpuad %s --adjoint="scale(y)/(x)" -o %t/out.cu -- %stub
// RUN: cp %t/out.cu %t/old.cu
//
// RUN: not %gpuad %s --adjoint="skale" -o %t/out.cu -- %stub 2> %t/err; FileCheck %s --check-prefix=REFUSED --input-file=%t/err
// REFUSED: exit_status.cu:1:1: error: {{.*}} [gpuad-unknown-function]
// REFUSED: 1 error generated.
// RUN: diff %t/out.cu %t/old.cu
//
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[2:]).returncode != int(sys.argv[1]))" 1 %gpuad %s --adjoint="skale" -o %t/out.cu -- %stub
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[2:]).returncode != int(sys.argv[1]))" 1 %gpuad %t/none.cu -o %t/out.cu -- %stub
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[2:]).returncode != int(sys.argv[1]))" 2 %gpuad
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[2:]).returncode != int(sys.argv[1]))" 2 %gpuad %s --no-such-option
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[2:]).returncode != int(sys.argv[1]))" 0 %gpuad %s --check -o %t/out.cu -- %stub
// RUN: diff %t/out.cu %t/old.cu
//
// RUN: not %gpuad %s --adjoint="scale(y)/(x)" -o %t/no/such/out.cu -- %stub 2>&1 | FileCheck %s --check-prefix=UNWRITABLE
// UNWRITABLE: gpuad-translate: error: cannot write '{{.*}}/no/such/out.cu': No such file or directory
// RUN: not %gpuad %s --adjoint="scale(y)/(x)" -o %t/out.cu --header=%t/no/such.cuh -- %stub
// RUN: diff %t/out.cu %t/old.cu
// RUN: not %gpuad %s --adjoint="scale(y)/(x)" -o %s -- %stub 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: gpuad-translate: error: the output would take the place of its input
// RUN: not %gpuad %s --check --depfile=%t/d -- %stub 2>&1 | FileCheck %s --check-prefix=CHECKING
// CHECKING: --check writes nothing
// RUN: not %gpuad %s -p %t -- %stub 2>&1 | FileCheck %s --check-prefix=DATABASE
// DATABASE: it cannot go with flags after '--'
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }
