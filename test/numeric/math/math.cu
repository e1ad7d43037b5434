// Every math function, one branch of a switch each.
#include <cmath>


__global__ void unary_double(int count, const int* which, const double* x, double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  double r = 0;
  switch (which[i]) {
#define UNARY(ID, F, G, LOW, HIGH) \
  case ID: \
    r = F(x[i]); \
    break;
#include "functions.inc"
  }
  y[i] = r;
}

__global__ void unary_float(int count, const int* which, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float r = 0;
  switch (which[i]) {
#define UNARY(ID, F, G, LOW, HIGH) \
  case ID: \
    r = G(x[i]); \
    break;
#include "functions.inc"
  }
  y[i] = r;
}

__global__ void binary_double(int count, const int* which, const double* a, const double* b, double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  double r = 0;
  switch (which[i]) {
#define BINARY(ID, F, G, LOW, HIGH, LOW2, HIGH2) \
  case ID: \
    r = F(a[i], b[i]); \
    break;
#include "functions.inc"
  }
  y[i] = r;
}

__global__ void binary_float(int count, const int* which, const float* a, const float* b, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float r = 0;
  switch (which[i]) {
#define BINARY(ID, F, G, LOW, HIGH, LOW2, HIGH2) \
  case ID: \
    r = G(a[i], b[i]); \
    break;
#include "functions.inc"
  }
  y[i] = r;
}

__global__ void ternary_double(int count, const int* which, const double* a, const double* b, const double* c,
                               double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  double r = 0;
  switch (which[i]) {
#define TERNARY(ID, F, G) \
  case ID: \
    r = F(a[i], b[i], c[i]); \
    break;
#include "functions.inc"
  }
  y[i] = r;
}

// Where functions have a kink, a pole or no value; what comes out there is written in docs/rule-schema.md.
__global__ void corners(int count, const int* which, const double* a, const double* b, double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const double u = a[i], v = b[i];
  double r = 0;
  switch (which[i]) {
#define CORNER(ID, CALL, A, B, BY_A, BY_B) \
  case ID: \
    r = CALL; \
    break;
#include "corners.inc"
  }
  y[i] = r;
}

// The same for second derivatives.
__global__ void second_corners(int count, const int* which, const double* a, const double* b, double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const double u = a[i], v = b[i];
  double r = 0;
  switch (which[i]) {
#define CORNER(ID, CALL, A, B, BY_UU, BY_UV, BY_VV) \
  case ID: \
    r = CALL; \
    break;
#include "second_corners.inc"
  }
  y[i] = r;
}
