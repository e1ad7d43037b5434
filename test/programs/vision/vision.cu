// Geometry and images: cameras, Gaussians, splines, shading.
#include <algorithm>
#include <cmath>
#include <cuda_runtime.h>
#include <gpuad/gpuad.h>

// Reprojection errors of bundle adjustment: Rodrigues' rotation, radial distortion, a weight for each observation.
// A camera has eleven numbers: rotation, center, focal length, principal point, two coefficients of distortion.
namespace bundle_adjustment {

constexpr int Camera_size = 11;

__device__ inline void cross(const double* a, const double* b, double* out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

__device__ inline double dot3(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

__device__ void rodrigues(const double* rotation, const double* point, double* rotated) {
  const double square = dot3(rotation, rotation);
  if (square > 1e-20) {
    const double theta = sqrt(square);
    double s, c;
    sincos(theta, &s, &c);
    double axis[3];
    for (int i = 0; i < 3; i++)
      axis[i] = rotation[i] / theta;
    double axis_cross[3];
    cross(axis, point, axis_cross);
    const double along = dot3(axis, point) * (1.0 - c);
    for (int i = 0; i < 3; i++)
      rotated[i] = point[i] * c + axis_cross[i] * s + axis[i] * along;
  } else {
    double turn[3];
    cross(rotation, point, turn);
    for (int i = 0; i < 3; i++)
      rotated[i] = point[i] + turn[i];
  }
}

__device__ void project(const double* camera, const double* point, double* image) {
  double centered[3], local[3];
  for (int i = 0; i < 3; i++)
    centered[i] = point[i] - camera[3 + i];
  rodrigues(camera, centered, local);
  const double u = local[0] / local[2], v = local[1] / local[2];
  const double r2 = u * u + v * v;
  const double bend = 1.0 + camera[9] * r2 + camera[10] * r2 * r2;
  image[0] = camera[7] + camera[6] * bend * u;
  image[1] = camera[8] + camera[6] * bend * v;
}

GPUAD_ADJOINT("(error,prior)/(cameras,points,weights)")
GPUAD_TANGENT("(error,prior)/(cameras,points,weights)")
__global__ void residuals(double* error, double* prior, const double* cameras, const double* points,
                          const double* weights, const int2* observation, const double2* seen, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  double image[2];
  project(cameras + Camera_size * observation[i].x, points + 3 * observation[i].y, image);
  const double w = weights[i];
  error[2 * i + 0] = w * (image[0] - seen[i].x);
  error[2 * i + 1] = w * (image[1] - seen[i].y);
  prior[i] = 1.0 - w * w;
}

} // namespace bundle_adjustment

// 3D Gaussians seen by a camera: covariance from scale and quaternion, the local affine map of the projection (EWA),
// the inverse 2D covariance, and a radius that is a by-product without derivative.
namespace splatting {

struct Mat3 {
  float m[3][3];
  __device__ float* operator[](int i) { return m[i]; }
  __device__ const float* operator[](int i) const { return m[i]; }
};

__device__ Mat3 operator*(const Mat3& a, const Mat3& b) {
  Mat3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  return c;
}

__device__ Mat3 transpose(const Mat3& a) {
  Mat3 t;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      t[i][j] = a[j][i];
  return t;
}

__device__ Mat3 rotation_of(float4 q) {
  const float inv = rsqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  const float r = q.x * inv, x = q.y * inv, y = q.z * inv, z = q.w * inv;
  return {{{1.f - 2.f * (y * y + z * z), 2.f * (x * y - r * z), 2.f * (x * z + r * y)},
           {2.f * (x * y + r * z), 1.f - 2.f * (x * x + z * z), 2.f * (y * z - r * x)},
           {2.f * (x * z - r * y), 2.f * (y * z + r * x), 1.f - 2.f * (x * x + y * y)}}};
}

__device__ Mat3 covariance(float3 scale, float4 q) {
  Mat3 s = {};
  s[0][0] = scale.x;
  s[1][1] = scale.y;
  s[2][2] = scale.z;
  const Mat3 m = rotation_of(q) * s;
  return m * transpose(m);
}

struct Camera {
  float view[12]; // rows of [R | t]
  float fx, fy, limit;
};

GPUAD_ADJOINT("(conic,center)/(mean,scale,q)")
GPUAD_TANGENT("(conic,center)/(mean,scale,q)")
__global__ void project(float3* conic, float2* center, int* radius, const float3* mean, const float3* scale,
                        const float4* q, Camera cam, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float3 p = mean[i];
  const float* v = cam.view;
  float3 t = {v[0] * p.x + v[1] * p.y + v[2] * p.z + v[3], v[4] * p.x + v[5] * p.y + v[6] * p.z + v[7],
              v[8] * p.x + v[9] * p.y + v[10] * p.z + v[11]};
  center[i] = {cam.fx * t.x / t.z, cam.fy * t.y / t.z};
  t.x = fminf(cam.limit, fmaxf(-cam.limit, t.x / t.z)) * t.z;
  t.y = fminf(cam.limit, fmaxf(-cam.limit, t.y / t.z)) * t.z;
  const Mat3 jacobian = {{{cam.fx / t.z, 0.f, -(cam.fx * t.x) / (t.z * t.z)},
                          {0.f, cam.fy / t.z, -(cam.fy * t.y) / (t.z * t.z)},
                          {0.f, 0.f, 0.f}}};
  const Mat3 w = {{{v[0], v[1], v[2]}, {v[4], v[5], v[6]}, {v[8], v[9], v[10]}}};
  const Mat3 map = jacobian * w;
  const Mat3 cov = map * covariance(scale[i], q[i]) * transpose(map);
  const float a = cov[0][0] + 0.3f, b = cov[0][1], c = cov[1][1] + 0.3f;
  const float det = a * c - b * b;
  if (det == 0.0f)
    return;
  const float inv = 1.f / det;
  conic[i] = {c * inv, -b * inv, a * inv};
  const float mid = 0.5f * (a + c);
  radius[i] = (int)ceilf(3.f * sqrtf(mid + sqrtf(fmaxf(0.1f, mid * mid - det))));
}

} // namespace splatting

// Colour from spherical harmonics up to degree 2, clamped below at zero.
namespace harmonics {

__constant__ float C2[5] = {1.0925484305920792f, -1.0925484305920792f, 0.31539156525252005f, -1.0925484305920792f,
                            0.5462742152960396f};

GPUAD_ADJOINT("(rgb)/(sh,position,eye)")
GPUAD_TANGENT("(rgb)/(sh,position,eye)")
__global__ void colour(float* rgb, const float* sh, const float3* position, float3 eye, int degree, int n) {
  const float C0 = 0.28209479177387814f, C1 = 0.4886025119029199f;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float3 dir = make_float3(position[i].x - eye.x, position[i].y - eye.y, position[i].z - eye.z);
  const float inverse = rnorm3df(dir.x, dir.y, dir.z);
  const float x = dir.x * inverse, y = dir.y * inverse, z = dir.z * inverse;
  for (int c = 0; c < 3; ++c) {
    const float* s = sh + (i * 3 + c) * 9;
    float value = C0 * s[0];
    if (degree > 0) {
      value = value - C1 * y * s[1] + C1 * z * s[2] - C1 * x * s[3];
      if (degree > 1)
        value += C2[0] * x * y * s[4] + C2[1] * y * z * s[5] + C2[2] * (2.0f * z * z - x * x - y * y) * s[6] +
                 C2[3] * x * z * s[7] + C2[4] * (x * x - y * y) * s[8];
    }
    rgb[3 * i + c] = fmaxf(value + 0.5f, 0.0f);
  }
}

} // namespace harmonics

// A volume looked up by a cubic B-spline: 64 taps with weights of each axis.
namespace bspline {

template <typename T, int N> struct array {
  T data[N];
  __device__ T& operator[](int i) { return data[i]; }
  __device__ const T& operator[](int i) const { return data[i]; }
};

template <typename T> __device__ array<T, 4> weights(T t) {
  const T one_minus = T(1) - t, t2 = t * t, o2 = one_minus * one_minus;
  array<T, 4> w;
  w[0] = o2 * one_minus / T(6);
  w[1] = T(2) / T(3) - T(0.5) * t2 * (T(2) - t);
  w[2] = T(2) / T(3) - T(0.5) * o2 * (T(2) - one_minus);
  w[3] = t2 * t / T(6);
  return w;
}

template <typename T> struct Volume {
  const T* data;
  int nx, ny, nz;
  __device__ T at(int i, int j, int k) const {
    i = min(max(i, 0), nx - 1);
    j = min(max(j, 0), ny - 1);
    k = min(max(k, 0), nz - 1);
    return data[(k * ny + j) * nx + i];
  }
};

template <typename T> GPUAD_ADJOINT("(out)/(volume,where)") GPUAD_TANGENT("(out)/(volume,where)")
__global__ void lookup(T* out, Volume<T> volume, const T* where, int n) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= n)
    return;
  const T x = where[3 * p], y = where[3 * p + 1], z = where[3 * p + 2];
  const int ix = (int)floor(x), iy = (int)floor(y), iz = (int)floor(z);
  const auto wx = weights(x - ix), wy = weights(y - iy), wz = weights(z - iz);
  T sum = 0;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 4; ++i)
        sum += wx[i] * wy[j] * wz[k] * volume.at(ix + i - 1, iy + j - 1, iz + k - 1);
  out[p] = sum;
}

template __global__ void lookup<double>(double*, Volume<double>, const double*, int);

} // namespace bspline

// Warping an image by a flow with bilinear taps, and the robust penalty of the difference to a target.
namespace warp_image {

struct Image {
  float* pixels;
  int width, height;
  __device__ float operator()(int x, int y) const {
    return (x < 0 || y < 0 || x >= width || y >= height) ? 0.f : pixels[y * width + x];
  }
};

__device__ float bilinear(const Image& image, float x, float y) {
  const float fx = floorf(x), fy = floorf(y);
  const int x0 = __float2int_rd(x), y0 = __float2int_rd(y);
  const float ax = x - fx, ay = y - fy;
  const float top = (1.f - ax) * image(x0, y0) + ax * image(x0 + 1, y0);
  const float bottom = (1.f - ax) * image(x0, y0 + 1) + ax * image(x0 + 1, y0 + 1);
  return __fmaf_rn(ay, bottom - top, top);
}

GPUAD_ADJOINT("(penalty)/(source,flow,target)")
GPUAD_TANGENT("(penalty)/(source,flow,target)")
__global__ void compare(float* penalty, Image source, const float2* flow, const float* __restrict__ target, float eps) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= source.width || y >= source.height)
    return;
  const int i = y * source.width + x;
  const float difference = bilinear(source, x + flow[i].x, y + flow[i].y) - __ldg(&target[i]);
  penalty[i] = sqrtf(difference * difference + eps * eps) - eps;
}

} // namespace warp_image

// A ray against a sphere, Blinn-Phong shading with several lights, and gamma at the end.
namespace shading {

struct Light {
  float3 direction;
  float intensity;
};
struct Sphere {
  float3 center;
  float radius, shininess;
};

__device__ float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__device__ float3 operator-(float3 a, float3 b) {
  return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__device__ float3 operator+(float3 a, float3 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ float3 operator*(float s, float3 a) {
  return make_float3(s * a.x, s * a.y, s * a.z);
}
__device__ float3 unit(float3 a) {
  return rsqrtf(dot(a, a)) * a;
}

GPUAD_ADJOINT("(pixels)/(sphere,lights)")
GPUAD_TANGENT("(pixels)/(sphere,lights)")
__global__ void render(float* pixels, Sphere sphere, const Light* lights, int light_count, int side) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= side * side)
    return;
  const float3 ray = unit(make_float3((i % side + 0.5f) / side - 0.5f, (i / side + 0.5f) / side - 0.5f, 1.0f));
  const float3 to_eye = -1.0f * sphere.center;
  const float b = dot(to_eye, ray), c = dot(to_eye, to_eye) - sphere.radius * sphere.radius;
  const float discriminant = b * b - c;
  float colour = 0.1f;
  if (discriminant > 0.0f) {
    const float t = -b - sqrtf(discriminant);
    const float3 normal = unit(t * ray - sphere.center);
    for (int l = 0; l < light_count; ++l) {
      const Light& light = lights[l];
      const float3 toward = unit(light.direction);
      const float diffuse = fmaxf(dot(normal, toward), 0.0f);
      const float3 halfway = unit(toward - ray);
      const float specular = powf(fmaxf(dot(normal, halfway), 1e-3f), sphere.shininess);
      colour += light.intensity * (0.7f * diffuse + 0.3f * specular);
    }
  }
  pixels[i] = powf(colour, 1.0f / 2.2f);
}

} // namespace shading
