// Loops whose first iteration finds variables equal that differ later: none of what it finds is true of all of them.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// What one variable held before another one takes over: equal in front of the loop.
BOTH("(y)/(x)")
__global__ void previous(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double now = x[i], before = now;
  for (int k = 0; k < 4; ++k) {
    before = now;
    now = sin(now) + x[i] * k;
  }
  y[i] = now * before;
}

// The same with an expression of it, under a condition, and with one that does not change.
BOTH("(y)/(x)")
__global__ void sum_of_previous(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double start = x[i], now = start, twice = now + start, same = start;
  for (int k = 0; k < 5; ++k) {
    if (k != 2)
      twice = now + start;
    same = start;
    now = now * same * 0.5 + 0.3;
  }
  y[i] = twice * now + same;
}

struct Pair {
  double a, b;
};
BOTH("(y)/(x)")
__global__ void fields(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Pair pair{x[i], x[i]}, last = pair;
  for (int k = 0; k < 4; ++k) {
    last = pair;
    if (k > 1)
      pair.b = pair.a;
    pair.a = sin(pair.a) + x[i] * k;
  }
  y[i] = pair.a * pair.b + last.a * last.b;
}

// Indices and pointers that walk one behind the other.
BOTH("(y)/(x)")
__global__ void indices(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int at = i, last = i;
  double sum = 0;
  while (at < n) {
    sum += x[at] * x[last];
    last = at;
    at += 3;
  }
  y[i] = sum * x[last];
}

BOTH("(y)/(x)")
__global__ void pointers(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double *p = x + i, *last = x + i;
  double sum = 0;
  while (p < x + n) {
    sum += *p * *last;
    last = p;
    p += 3;
  }
  y[i] = sum * *last;
}

// The best so far, as a pointer to where the search began.
BOTH("(y)/(x)")
__global__ void farthest(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double *best = x;
  for (const double *p = x; p != x + n; ++p)
    if (fabs(*p - x[i]) * ((p - x) % 3 + 1) > fabs(*best - x[i]) * ((best - x) % 3 + 1))
      best = p;
  y[i] = *best * x[i] + (best - x) * x[(best - x) / 2];
}

// The first iteration would store what is there.
BOTH("(y)/(x,y)")
__global__ void stored_back(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = y[i];
  for (int k = 0; k < 4; ++k) {
    if (v * x[i] > 1.5) {
      y[i] = v;
      if (k > 1)
        return;
      break;
    }
    v *= x[i];
  }
  y[i] = v * y[i];
}

struct View {
  const double *data;
  int step;
};
BOTH("(y)/(x)")
__global__ void views(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  View now{x + i, 1}, last = now;
  double sum = 0;
  for (int k = 0; k < 3 && now.data + now.step < x + n; ++k) {
    sum += now.data[0] * last.data[last.step - 1] * (k + 1);
    last = now;
    now.data += now.step;
    now.step += k;
  }
  y[i] = sum + *last.data;
}
