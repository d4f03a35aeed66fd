// One vector of floats, as wide as the processor's registers, and the functions that the recurrences need of it.
//
// The source is one for every instruction set: the width is a constant of the build, the arithmetic is the
// compiler's (GCC's and Clang's vector extensions), and only what it cannot say is written in intrinsics.
// Relative errors stand beside each function; a NaN stays one everywhere.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace readhead {

using Index = std::ptrdiff_t;

#if defined(__AVX512F__)
constexpr Index width = 16;
#elif defined(__AVX2__)
constexpr Index width = 8;
#else
constexpr Index width = 4;
#endif

typedef float Vector __attribute__((vector_size(width * sizeof(float))));
typedef std::int32_t Integers __attribute__((vector_size(width * sizeof(float))));
typedef std::uint32_t Bits __attribute__((vector_size(width * sizeof(float))));  // may run over

/// The least multiple of the width that is not below `count`.
constexpr Index padded(Index count) {
    return (count + width - 1) / width * width;
}

// Memory. No address needs to be aligned.

inline Vector load(const float* from) {
    Vector x;
    std::memcpy(&x, from, sizeof x);
    return x;
}

inline void store(float* to, Vector x) {
    std::memcpy(to, &x, sizeof x);
}

inline Vector broadcast(float x) {
    return x - Vector{};
}

#if defined(__AVX2__) && !defined(__AVX512F__)
/// All bits set in the first `count` places.
inline Integers first(Index count) {
    const Integers place = {0, 1, 2, 3, 4, 5, 6, 7};
    return place < static_cast<std::int32_t>(count);
}
#endif

/// The first `count` places, 0 <= count <= width, and zeros after them; memory beyond them is not touched.
inline Vector load_first(const float* from, Index count) {
#if defined(__AVX512F__)
    return (Vector)_mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), from);
#elif defined(__AVX2__)
    return (Vector)_mm256_maskload_ps(from, (__m256i)first(count));
#else
    Vector x = {};
    for (Index i = 0; i < count; ++i) x[i] = from[i];
    return x;
#endif
}

/// As `load_first`; memory beyond the first `count` places is not written.
inline void store_first(float* to, Vector x, Index count) {
#if defined(__AVX512F__)
    _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1u << count) - 1), (__m512)x);
#elif defined(__AVX2__)
    _mm256_maskstore_ps(to, (__m256i)first(count), (__m256)x);
#else
    for (Index i = 0; i < count; ++i) to[i] = x[i];
#endif
}

// Arithmetic.

/// a·b + c, rounded once where the processor can.
inline Vector multiply_add(Vector a, Vector b, Vector c) {
#if defined(__AVX512F__)
    return (Vector)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__FMA__)
    return (Vector)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    return a * b + c;
#endif
}

/// The greater, or `b` where one is NaN.
inline Vector greater(Vector a, Vector b) {
    return a > b ? a : b;
}

/// The lesser, or `b` where one is NaN.
inline Vector lesser(Vector a, Vector b) {
    return a < b ? a : b;
}

inline Vector absolute(Vector x) {
    return (Vector)((Integers)x & 0x7fffffff);
}

/// The absolute value of `x` with the sign of `sign`.
inline Vector with_sign(Vector x, Vector sign) {
    return (Vector)(((Integers)x & 0x7fffffff) | ((Integers)sign & INT32_MIN));
}

/// The sum of all places.
inline float sum(Vector x) {
    for (Index half = width / 2; half > 0; half /= 2)
        for (Index i = 0; i < half; ++i) x[i] += x[i + half];
    return x[0];
}

/// The greatest of all places; none may be NaN.
inline float maximum(Vector x) {
    for (Index half = width / 2; half > 0; half /= 2)
        for (Index i = 0; i < half; ++i) x[i] = x[i] > x[i + half] ? x[i] : x[i + half];
    return x[0];
}

/// 1 / d for 1 <= d, relative error below 2e-7. A d above 8e37, infinity too, counts as 8e37: what it is the
/// reciprocal of is then 0 for every use, and the step of Newton below would make a NaN of infinity.
inline Vector reciprocal(Vector d) {
    d = lesser(broadcast(8e37f), d);
#if defined(__AVX512F__)
    const Vector y = (Vector)_mm512_maskz_rcp14_ps(0xffff, (__m512)d);
    return multiply_add(y, multiply_add(-d, y, broadcast(1.f)), y);
#else
    return 1.f / d;
#endif
}

/// What exp and tanh share: e^x = 2^exponent · (1 + fraction), |fraction| <= 0.42.
struct Power {
    Integers exponent;
    Vector fraction;
};

/// x, |x| < 1e4, taken apart: x = exponent·ln 2 + r with |r| <= ln 2 / 2, and fraction = e^r - 1, a polynomial.
inline Power power_of_two_and_rest(Vector x) {
    const float shift = 12582912.f;  // 1.5 · 2^23: the sum keeps no digit behind the point
    const Vector whole = multiply_add(x, broadcast(1.44269504f), broadcast(shift)) - shift;
    Vector r = multiply_add(whole, broadcast(-0.693145751953125f), x);  // ln 2 in two parts: the first is short,
    r = multiply_add(whole, broadcast(-1.42860677e-6f), r);             // so that its multiples are exact
    // (e^r - 1 - r) / r^2, fitted so that the greatest error of fraction / r is least: 1.6e-8.
    Vector q = broadcast(.00139467861f);
    q = multiply_add(q, r, broadcast(.00836677756f));
    q = multiply_add(q, r, broadcast(.0416662768f));
    q = multiply_add(q, r, broadcast(.16666542f));
    q = multiply_add(q, r, broadcast(.5f));
    return {__builtin_convertvector(whole, Integers), multiply_add(q, r * r, r)};
}

/// 2^n for -126 <= n <= 127.
inline Vector power_of_two(Integers n) {
    return (Vector)(((Bits)n + 127) << 23);
}

/// e^x, relative error below 1e-7. Below the least normal number it is 0: a subnormal one would slow down
/// every product that it goes into.
inline Vector exponential(Vector x) {
    const Power power = power_of_two_and_rest(x);
    // The exponent is added to the bits: 2^128 · 0.9 is a float, and 2^128 is none.
    Vector y = (Vector)((Bits)(1.f + power.fraction) + ((Bits)power.exponent << 23));
    y = x > 88.7228f ? broadcast(__builtin_inff()) : y;
    return x < -87.3365f ? Vector{} : y;
}

/// 1 / (1 + e^-x), relative error below 1.7e-7.
inline Vector sigmoid(Vector x) {
    return 1.f / (1.f + exponential(-x));
}

/// tanh x, relative error below 2e-7, for the small ones too: m / (m + 2) with m = e^(2x) - 1.
inline Vector tangent(Vector x) {
    // Of -2|x|, so that nothing overflows; at -40 it is -1 already.
    const Vector twice = greater(broadcast(-40.f), -2.f * absolute(x));
    const Power power = power_of_two_and_rest(twice);
    const Vector scale = power_of_two(power.exponent);
    const Vector m = multiply_add(scale, power.fraction, scale - 1.f);
    return with_sign(m / (m + 2.f), x);
}

}  // namespace readhead
