// RUN: split-file %s %t
// RUN: not %gpuad --check-rules --rules=%t/my.yaml 2>&1 | FileCheck %s
// CHECK: my.yaml:2:3: error: the partial of 'cube' by 'x' is {{.*}}, but differences of the function give {{.*}} [gpuad-rule-numeric]

//--- my.yaml
rules:
- name: cube
  match: [cube]
  params: [x]
  partials: {x: 2 * x * x}
  value: x * x * x
