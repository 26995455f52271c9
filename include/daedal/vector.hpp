// Vectors in space, so that 3-D models read like the mathematics. T is Expression or double.
//
//   Vector3<Expression> r(x, y, z);
//   Expression kinetic = 0.5 * m * sqr(der(r)), distance = norm(r - s);
#pragma once

#include <cmath>

#include "daedal/expression.hpp"

namespace daedal {

template <typename T>
struct Vector3 {
  T x = T(0.0), y = T(0.0), z = T(0.0);

  Vector3() = default;
  Vector3(const T& x_, const T& y_, const T& z_) : x(x_), y(y_), z(z_) {}

  Vector3& operator+=(const Vector3& b) { return *this = *this + b; }
  Vector3& operator-=(const Vector3& b) { return *this = *this - b; }
  Vector3& operator*=(const T& s) { return *this = *this * s; }
  Vector3& operator/=(const T& s) { return *this = *this / s; }

  friend Vector3 operator+(const Vector3& a) { return a; }
  friend Vector3 operator-(const Vector3& a) { return {-a.x, -a.y, -a.z}; }
  friend Vector3 operator+(const Vector3& a, const Vector3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend Vector3 operator-(const Vector3& a, const Vector3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend Vector3 operator*(const T& s, const Vector3& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend Vector3 operator*(const Vector3& a, const T& s) { return s * a; }
  friend Vector3 operator/(const Vector3& a, const T& s) { return {a.x / s, a.y / s, a.z / s}; }
  // The scalar product, as in the model language.
  friend T operator*(const Vector3& a, const Vector3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }
};

template <typename T>
T dot(const Vector3<T>& a, const Vector3<T>& b) {
  return a * b;
}

template <typename T>
Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// |a|^2
template <typename T>
T sqr(const Vector3<T>& a) {
  return a * a;
}

template <typename T>
T norm(const Vector3<T>& a) {
  using std::sqrt;
  return sqrt(a * a);
}

inline Vector3<Expression> der(const Vector3<Expression>& a, int order = 1) {
  return {der(a.x, order), der(a.y, order), der(a.z, order)};
}

}  // namespace daedal
