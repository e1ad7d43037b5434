// Kernels that overwrite memory of the caller which their reverse needs.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// Along a row: each step reads what the step before it wrote.
BOTH("(x)/(x)")
__global__ void sweep(int n, int m, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *row = x + i * m;
  for (int k = 1; k < m; ++k)
    row[k] = 0.5 * row[k] * row[k - 1] + sin(row[k]);
}

// Downwards, by a stride, in columns.
BOTH("(x)/(x,w)")
__global__ void sweep_down(int n, int from, int stride, const double *w, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = from; k >= 0; k -= stride)
    x[k * n + i] = w[k] * x[k * n + i] + 0.25 * x[(k + stride) * n + i] * x[k * n + i];
}

// A batch of tridiagonal systems: the way down overwrites what the way up reads.
BOTH("(rhs)/(l,d,u,rhs)")
__global__ void tridiagonal(int batch, int m, const double *l, const double *d, double *u, double *rhs) {
  int t = threadIdx.x + blockDim.x * blockIdx.x;
  if (t < batch) {
    int first = t, last = batch * (m - 1) + t;
    u[first] /= d[first];
    rhs[first] /= d[first];
    for (int i = first + batch; i <= last; i += batch) {
      double pivot = d[i] - l[i] * u[i - batch];
      u[i] = u[i] / pivot;
      rhs[i] = (rhs[i] - l[i] * rhs[i - batch]) / pivot;
    }
    for (int i = last - batch; i >= first; i -= batch)
      rhs[i] -= u[i] * rhs[i + batch];
  }
}

// The same by device functions.
__device__ void eliminate(const double *l, const double *d, double *c, double *r, int m) {
  c[0] /= d[0];
  r[0] /= d[0];
  for (int k = 1; k < m; ++k) {
    double scale = 1.0 / (d[k] - l[k] * c[k - 1]);
    c[k] *= scale;
    r[k] = (r[k] - l[k] * r[k - 1]) * scale;
  }
}
__device__ void substitute(const double *c, double *r, int m) {
  for (int k = m - 2; k >= 0; --k)
    r[k] -= c[k] * r[k + 1];
}
BOTH("(r)/(l,d,c,r)")
__global__ void by_functions(int n, int m, const double *l, const double *d, double *c, double *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  eliminate(l + i * m, d + i * m, c + i * m, r + i * m, m);
  substitute(c + i * m, r + i * m, m);
}

// Steps in time over a row.
BOTH("(x)/(x,h)")
__global__ void stepper(int n, int m, int steps, float h, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float *u = x + i * m;
  for (int t = 0; t < steps; ++t)
    for (int k = 1; k < m - 1; ++k)
      u[k] = u[k] + h * (u[k - 1] - 2 * u[k] + u[k + 1]) * u[k];
}

// All by one thread.
BOTH("(u)/(u)")
__global__ void one_thread(int m, int steps, double *u) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    for (int t = 0; t < steps; ++t)
      for (int k = 0; k < m; ++k)
        u[k] = u[k] + 0.1 * u[(k + 1) % m] * u[(k + m - 1) % m];
}

// Three levels, with a value that the outer ones carry.
BOTH("(x,out)/(x)")
__global__ void three_levels(int n, int m, int a, int b, double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *row = x + i * m, v = 1.0;
  for (int p = 0; p < a; ++p) {
    for (int q = 0; q < b; ++q) {
      double s = v;
      for (int k = 1; k < m; ++k) {
        row[k] = row[k] * (1.0 + 0.1 * s) + 0.1 * row[k - 1] * row[k];
        s = 0.5 * s + 0.1 * row[k] * s;
      }
      v = v * 0.5 + s * s;
    }
    row[0] = 0.5 * row[0] + 0.1 * v * row[m - 1];
  }
  out[i] = v;
}

// Bounds of the inner loop by the outer counter, and by the thread.
BOTH("(x)/(x)")
__global__ void triangular(int n, int m, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *row = x + i * m;
  for (int j = 0; j < m; ++j)
    for (int k = j + 1; k < m - i % 2; ++k)
      row[k] = row[k] * (0.75 + 0.125 * row[j]);
}

// Ragged rows.
BOTH("(x)/(x)")
__global__ void ragged(int n, const int *start, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = start[i] + 1; k < start[i + 1]; ++k)
    x[k] = x[k] * x[k - 1] * 0.75 + 0.25 * x[k];
}

// A list whose length and order the data give.
BOTH("(x)/(x)")
__global__ void chain(double *x, const int *next) {
  for (int p = threadIdx.x; p >= 0; p = next[p])
    x[p] = sin(x[p]) * x[p];
}

// Lists in which a step reads what an earlier one wrote.
BOTH("(x)/(x)")
__global__ void linked(int n, double *x, const int *next) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int p = i;
  while (next[p] >= 0) {
    x[next[p]] = x[next[p]] * (0.5 + 0.25 * x[p]) + sin(x[p]);
    p = next[p];
  }
}

// Until what is overwritten is small enough.
BOTH("(x)/(x)")
__global__ void until_small(int n, int m, double limit, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *row = x + i * m;
  while (row[0] > limit) {
    for (int k = 0; k < m; ++k)
      row[k] = 0.75 * row[k] * cos(0.25 * row[(k + 1) % m]);
    if (i % 3 == 0)
      row[m - 1] = row[m - 1] + 0.125 * row[0] * row[0];
  }
}

// The same with other places in each step, some of which the step reads back.
BOTH("(x)/(x)")
__global__ void picks(int n, int m, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *row = x + i * m;
  int k = 0, left = 3 + i % 4;
  while (left > 0 && row[k % m] > 0.001) {
    if ((k * 7 + i) % 3 == 0) {
      row[k % m] = 0.5 * row[k % m] + 0.25 * row[(k + 1) % m];
      --left;
    } else {
      row[(k + 2) % m] += 0.25 * row[k % m] * row[k % m];
      if (k % 3 == 1)
        --left;
    }
    row[0] = 0.9 * row[0] + 0.1 * row[k % m] * row[(k + 2) % m];
    ++k;
  }
}

// What was there before is of no interest: it may never have been written.
BOTH("(out)/(in)")
__global__ void products(int n, int m, const double *in, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i * m] = in[i * m];
  for (int k = 1; k < m; ++k)
    out[i * m + k] = out[i * m + k - 1] * in[i * m + k];
}

// Leaves the row where a value gets large.
BOTH("(x)/(x)")
__global__ void leaves(int n, int m, double limit, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *row = x + i * m;
  for (int k = 1; k < m; ++k) {
    row[k] = row[k] + row[k - 1] * row[k];
    if (row[k] > limit)
      break;
  }
}

// Stores that depend on what is overwritten.
BOTH("(x)/(x)")
__global__ void sometimes(int n, int m, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *row = x + i * m;
  for (int k = 1; k < m; ++k) {
    if (row[k] > row[k - 1])
      row[k] = row[k] * row[k - 1];
    else if (row[k - 1] > 0.7)
      row[k - 1] = row[k - 1] * 0.5 + row[k] * row[k];
  }
}

// Sorts, and changes what it exchanges.
BOTH("(x)/(x)")
__global__ void exchange(int n, int m, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *row = x + i * m;
  for (int a = 0; a < m; ++a)
    for (int k = 0; k + 1 < m - a; ++k)
      if (row[k] > row[k + 1]) {
        double t = row[k];
        row[k] = row[k + 1] * (0.9 + 0.01 * t);
        row[k + 1] = t + 0.02 * t * t;
      }
}

// Two arrays that feed each other.
BOTH("(pos,vel)/(pos,vel)")
__global__ void leapfrog(int n, int m, int steps, double *pos, double *vel) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *p = pos + i * m, *v = vel + i * m;
  for (int t = 0; t < steps; ++t) {
    for (int k = 0; k < m; ++k)
      v[k] = v[k] - 0.1 * sin(p[k]) * p[(k + 1) % m];
    for (int k = 0; k < m; ++k)
      p[k] = p[k] + 0.1 * v[k] * p[k];
  }
}

// A pointer that moves.
BOTH("(x)/(x)")
__global__ void moving(int n, int m, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *p = x + i * m;
  for (int k = 1; k < m; ++k) {
    p[1] = p[1] * *p + 0.25 * p[1];
    ++p;
  }
}

// What an iteration wrote, it reads back, through indices that tell nothing.
BOTH("(x)/(x)")
__global__ void reads_back(int n, int m, const int *to, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *row = x + i * m;
  for (int k = 0; k < m; ++k) {
    row[to[k]] = row[to[k]] * row[k];
    double v = row[(k + 1) % m];
    row[k] = 0.5 * row[k] + 0.25 * v * row[to[k]];
  }
}

// Integers that are overwritten say where the next numbers go.
BOTH("(x)/(x)")
__global__ void moving_tops(int n, int m, int *top, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *row = x + i * m;
  for (int k = 0; k + 1 < m; ++k) {
    int at = top[2 * i + k % 2];
    row[at + 1] = row[at + 1] * row[at] + 0.5 * row[k];
    top[2 * i + k % 2] = at + 1 < m - 1 ? at + 1 : 0;
  }
}

// A union-find: bytes and integers are overwritten, no numbers.
BOTH("(out)/(w)")
__global__ void find_roots(int n, int m, int *parent, unsigned char *rank, const double *w, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *up = parent + i * m;
  unsigned char *r = rank + i * m;
  double sum = 0;
  for (int k = 0; k < m; ++k) {
    int a = (k * 5 + i) % m;
    while (up[a] > 0)
      a = up[a];
    r[a] = r[a] + 1;
    if (a != (k + 1) % m && r[a] < 3)
      up[a] = (k + 1) % m;
    sum += w[a] * w[k] * r[a];
  }
  out[i] = sum;
}

// Fields of structs.
struct cell {
  float a, b;
  int hits;
  float c;
};
BOTH("(c)/(c)")
__global__ void cells(int n, int m, cell *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  cell *row = c + i * m;
  for (int k = 1; k < m; ++k) {
    row[k].a = row[k].a * row[k - 1].b;
    row[k].b = row[k].b + row[k].a * row[k - 1].a;
    row[k].hits += 1;
    if (row[k].hits % 2 == 1)
      row[k - 1].b = row[k].b * 0.5f * row[k].c;
  }
}

// Whole structs.
BOTH("(c)/(c)")
__global__ void whole_cells(int n, int m, float2 *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 *row = c + i * m;
  for (int k = 1; k < m; ++k) {
    float2 before = row[k - 1], now = row[k];
    row[k] = make_float2(now.x * before.y, now.y + 0.5f * before.x * now.x);
  }
}

// Fields that only others read, and one that is stored: nothing is overwritten that is needed.
struct body {
  double pos, mass;
  int tag;
  double acc;
};
BOTH("(b)/(b)")
__global__ void attract(int n, body *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double at = b[i].pos, sum = 0;
  for (int j = 0; j < n; ++j)
    sum += b[j].mass * (b[j].pos - at) * b[j].pos;
  b[i].acc = b[i].acc * sum;
}

// A few elements, of which the number is known.
BOTH("(x)/(x)")
__global__ void few(int n, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *q = x + 4 * i;
  for (int k = 0; k < 4; ++k)
    q[k] = q[k] * q[(k + 1) % 4] + 0.5 * q[k];
}

// No loop at all.
BOTH("(x)/(x)")
__global__ void straight(int n, const int *other, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *q = x + 3 * i;
  q[other[0]] = q[other[0]] * q[1];
  if (q[1] > 1.0)
    q[other[1]] = q[other[1]] * q[0] + q[2];
  q[2] = q[other[2]] * q[2] * q[other[0]];
}

// The old value is needed behind its store, and a parameter by value.
BOTH("(x,out)/(a,x)")
__global__ void needs_old(int n, int m, double a, double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *row = x + i * m, sum = 0;
  for (int k = 1; k < m; ++k) {
    double old = row[k];
    row[k] = a * row[k - 1];
    sum += old * old * row[k];
  }
  out[i] = sum * sum;
}

// Barriers elsewhere: what is staged in shared memory scales a sweep.
BOTH("(x)/(w,x)")
__global__ void staged(int n, int m, const double *w, double *x) {
  __shared__ double tile[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = i < n ? w[i] : 0.0;
  __syncthreads();
  double scale = tile[t] * tile[(t + 1) % blockDim.x];
  if (i < n) {
    double *row = x + i * m;
    for (int k = 1; k < m; ++k)
      row[k] = row[k] * row[k - 1] * scale + row[k];
  }
}

// Where two arrays are passed as one, it is refused: a_bar is then not the shadow of both.
BOTH("(b)/(a,b)")
__global__ void from_a_to_b(int n, int m, const double *a, double *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 1; k < m; ++k)
    b[i * m + k] = b[i * m + k - 1] * b[i * m + k] * a[i * m + k];
}
