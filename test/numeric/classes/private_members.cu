// Classes that keep their numbers to themselves, and let derivatives in with GPUAD_FRIEND.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define INDEX                                                                                                          \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n) return

// Getters give numbers, one setter sets several.
class throw_of_ball {
  GPUAD_FRIEND;

private:
  float angle_;
  float speed_;
  int bounces_;
  float range_;
  float height_;

public:
  throw_of_ball() : angle_(0), speed_(0), bounces_(0), range_(0), height_(0) {}
  __host__ __device__ float angle() const { return angle_; }
  __host__ __device__ float speed() const { return speed_; }
  __host__ __device__ int bounces() const { return bounces_; }
  __host__ __device__ void set(float range, float height, float angle, float speed) {
    range_ = range;
    height_ = height;
    angle_ = angle;
    speed_ = speed;
  }
};
BOTH("(after)/(before)")
__global__ void fly(const throw_of_ball *before, throw_of_ball *after, int n) {
  INDEX;
  float angle = before[i].angle(), speed = before[i].speed();
  float up = sinf(angle), along = cosf(angle);
  float time = 2 * speed * up / 9.75f;
  after[i].set(speed * time * along * (1 + before[i].bounces()), speed * speed * up * up / 2, angle, speed);
}

// A view whose pointer is private, of a class template in a namespace.
namespace grids {
template <class T> class grid {
  GPUAD_FRIEND;
  T *data_;
  int width_;

public:
  __host__ __device__ grid(T *data, int width) : data_(data), width_(width) {}
  __host__ __device__ T &operator()(int row, int column) const { return data_[row * width_ + column]; }
  __host__ __device__ T &at(int k) const { return data_[k]; }
  __host__ __device__ int width() const { return width_; }
};
} // namespace grids
BOTH("(out)/(in)")
__global__ void smooth(grids::grid<double> out, grids::grid<const double> in, int n) {
  INDEX;
  int w = out.width(), row = i / w, column = i % w;
  out(row, column) = in(row, column) * in(row, column) + 0.5 * in(row, (column + 1) % w) * in.at(i);
}

// What a base class protects.
class shape {
  GPUAD_FRIEND;

protected:
  float scale_ = 1;
  __device__ float scaled(float v) const { return scale_ * v * v; }
};
class disk : public shape {
  GPUAD_FRIEND;
  float radius_;

public:
  __device__ disk(float radius, float scale) : radius_(radius) { scale_ = scale; }
  __device__ float area() const { return 3.25f * scaled(radius_); }
  __device__ void grow(float by) { radius_ *= by; }
};
BOTH("(y)/(x)")
__global__ void areas(float *y, const float *x, int n) {
  INDEX;
  disk d(x[i], x[i + 1]);
  d.grow(x[i + 2]);
  y[i] = d.area();
}

// A class inside a class, an array of them, private methods and constants.
class material {
  GPUAD_FRIEND;

public:
  class lobe {
    GPUAD_FRIEND;
    friend class material;
    float weight, width;
  };

private:
  enum { count = 2 };
  static constexpr float least = 0.25f;
  static const unsigned first = 0;
  lobe lobes_[count];
  __device__ float one(const lobe &l, float v) const { return l.weight * expf(-v * v * (l.width + least)); }

public:
  __device__ float response(float v) const {
    float sum = 0;
    for (int k = first; k < count; ++k) sum += one(lobes_[k], v);
    return sum;
  }
};
BOTH("(y)/(m,x)")
__global__ void shade(float *y, const material *m, const float *x, int n) {
  INDEX;
  y[i] = m[i % 3].response(x[i]);
}
BOTH("(y)/(m,x)")
__global__ void shade_with_one(float *y, material m, const float *x, int n) {
  INDEX;
  y[i] = m.response(x[i]);
}
