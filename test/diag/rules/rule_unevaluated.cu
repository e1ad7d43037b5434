// RUN: split-file %s %t
// RUN: not %gpuad --check-rules --rules=%t/my.yaml 2>&1 | FileCheck %s
// CHECK: my.yaml:2:3: error: rule 'cube' cannot be evaluated on the host; give its 'value' or 'inverse', or say in 'unchecked' why not [gpuad-rule-unevaluated]

//--- my.yaml
rules:
- name: cube
  match: [cube]
  params: [x]
  partials: {x: 3 * x * x}
