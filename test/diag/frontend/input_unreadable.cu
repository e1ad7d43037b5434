// RUN: not %gpuad %t.no_such_file.cu -o %t.cu -- %stub 2>&1 | FileCheck %s
// CHECK: error: cannot read '{{.*}}.no_such_file.cu': {{.*}} [gpuad-input-unreadable]
