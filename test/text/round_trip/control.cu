// Control flow keeps its form.
// RUN: %gpuad %s --round-trip -o - -- %stub | FileCheck %s
__global__ void control(int n, float *p) {
  // CHECK:      for (int i = 0, k = n; i < k; ++i, --k) {
  // CHECK-NEXT:   if (i == 3) continue;
  // CHECK-NEXT:   if (p[i] > 2.0f) {
  // CHECK-NEXT:     p[k] = p[i];
  // CHECK-NEXT:     break;
  // CHECK-NEXT:   } else if (p[i] < 0.0f) {
  // CHECK-NEXT:     p[i] = 0.0f;
  // CHECK-NEXT:   } else {
  // CHECK-NEXT:     p[i] += 1.0f;
  // CHECK-NEXT:   }
  // CHECK-NEXT: }
  for (int i = 0, k = n; i < k; ++i, --k) {
    if (i == 3)
      continue;
    if (p[i] > 2.0f) {
      p[k] = p[i];
      break;
    } else if (p[i] < 0.0f) {
      p[i] = 0.0f;
    } else {
      p[i] += 1.0f;
    }
  }
  // CHECK-NEXT: do {
  // CHECK-NEXT:   p[0] *= 0.5f;
  // CHECK-NEXT: } while (p[0] > 1.0f);
  do {
    p[0] *= 0.5f;
  } while (p[0] > 1.0f);
  // CHECK-NEXT: switch (n % 4) {
  // CHECK-NEXT:   case 0:
  // CHECK-NEXT:   case 1:
  // CHECK-NEXT:     p[1] = 1.0f;
  // CHECK-NEXT:     break;
  // CHECK-NEXT:   case 2:
  // CHECK-NEXT:     p[2] = 2.0f;
  // CHECK-NEXT:     {{\[\[}}fallthrough]];
  // CHECK-NEXT:   default:
  // CHECK-NEXT:     return;
  // CHECK-NEXT: }
  switch (n % 4) {
  case 0:
  case 1:
    p[1] = 1.0f;
    break;
  case 2:
    p[2] = 2.0f;
  default:
    return;
  }
}
