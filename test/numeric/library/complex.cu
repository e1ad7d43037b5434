// Complex numbers of the device's standard library, or of Thrust: as locals, in memory, in shared memory, as arguments by
// value.
#ifdef OF_THRUST
#include <thrust/complex.h>
namespace numbers = thrust;
#else
#include <cuda/std/complex>
namespace numbers = cuda::std;
#endif
#include <cuda/std/bit>
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define ELEMENT int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return

using real = double;
using complex = numbers::complex<real>;

BOTH("(y)/(x)")
__global__ void arithmetic(int n, const real *x, real *y) {
  ELEMENT;
  complex z(x[i], x[n - 1 - i]), w(1.5, 2), v = x[i];
  z = z * w + z / (w + v) - v;
  z += 2.0 * z - z * x[i];
  z *= w;
  z -= -z / real(3) + (1.0 - z) + (z - 0.5) + (z + x[i]) + (x[i] + w);
  w /= x[i] + real(2);
  z /= w;
  v.imag(z.real());
  v.real(v.real() * 2);
  y[i] = z.real() * v.imag() + numbers::norm(z) + w.real() * v.imag() + v.real() + (2.0 / w).imag();
}

BOTH("(y)/(x)")
__global__ void functions(int n, const real *x, real *y) {
  ELEMENT;
  complex z(x[i], 0.5 + x[n - 1 - i]);
  complex s = numbers::exp(z) + numbers::log(z) * numbers::sqrt(z) + numbers::sin(z) - numbers::cos(z) +
              numbers::polar(x[i], real(0.7)) * numbers::conj(z);
  y[i] = numbers::abs(s) + numbers::arg(z) * numbers::abs(z) + s.imag();
}

// In memory, read, written and added to in place.
BOTH("(y)/(x,y)")
__global__ void in_memory(int n, const complex *x, complex *y, complex a) {
  ELEMENT;
  complex s = x[i] * a;
  y[i] += s * x[n - 1 - i];
  y[i] *= complex(0, 1) * s.real();
}

// A row of the discrete Fourier transform a thread, twiddles from the angle.
BOTH("(out)/(in)")
__global__ void transform(int n, const complex *in, complex *out) {
  ELEMENT;
  complex sum(0, 0);
  for (int k = 0; k < n; ++k) {
    real angle = -6.283185307179586 * i * k / n;
    sum += in[k] * complex(cos(angle), sin(angle));
  }
  out[i] = sum / real(n);
}

// Multipole to local: powers of a distance, in shared memory.
BOTH("(field)/(source,at)")
__global__ void multipole(int n, const complex *source, const complex *at, complex *field) {
  __shared__ __align__(16) unsigned char bytes[32 * sizeof(complex)];
  complex *tile = reinterpret_cast<complex *>(bytes);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  complex sum = 0;
  for (int first = 0; first < n; first += 32) {
    if (first + threadIdx.x < n) tile[threadIdx.x] = source[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32 && first + k < n && i < n; ++k) {
      complex d = at[i] - complex(4.0 + first + k, 1.0), power = 1.0 / d;
      for (int order = 0; order < 3; ++order) {
        sum += tile[k] * power;
        power /= d;
      }
    }
    __syncthreads();
  }
  if (i < n) field[i] = sum;
}

// By value, and through a device function of the user's.
__device__ complex mandel(complex z, const complex &c) { return z * z + c; }
BOTH("(y)/(x,c)")
__global__ void iterated(int n, const real *x, complex c, real *y) {
  ELEMENT;
  complex z(x[i], 0);
  for (int k = 0; k < 4; ++k) z = mandel(z, c) * real(0.5);
  y[i] = numbers::norm(z);
}

// Bits of integers that make a number.
BOTH("(y)/(x)")
__global__ void of_bits(int n, const int *bits, const double *x, double *y) {
  ELEMENT;
  y[i] = cuda::std::bit_cast<float>(bits[i] & 0x3fffffff) * x[i] * x[i];
}

#ifndef OF_THRUST
// Functions that Thrust lacks.
BOTH("(y)/(x)")
__global__ void parts(int n, const real *x, real *y) {
  ELEMENT;
  complex z(x[i], x[n - 1 - i]);
  y[i] = cuda::std::real(z * z) * cuda::std::imag(z);
}
#endif
