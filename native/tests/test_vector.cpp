// The vector's functions against the standard library's in long double, and where there are no numbers.

#include "vector.h"

#include <cmath>
#include <limits>
#include <vector>

#include "check.h"

using namespace readhead;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr double least_normal = std::numeric_limits<float>::min();

using Function = Vector (*)(Vector);
using Exact = long double (*)(long double);

/// f(x), in every place of a vector the same.
float at(Function function, float x) {
    const Vector y = function(broadcast(x));
    for (Index i = 1; i < width; ++i)
        check(y[i] == y[0] || (std::isnan(y[i]) && std::isnan(y[0])), "places differ at %g", double{x});
    return y[0];
}

/// The greatest relative error on a fine grid of [from, to], a step of which is no round number.
void check_relative(const char* name, Function function, Exact exact, float from, float to, double most) {
    double worst = 0;
    float where = from;
    const int steps = 400000;
    for (int i = 0; i <= steps; ++i) {
        const float x = from + (to - from) * static_cast<float>(i) / static_cast<float>(steps);
        const auto truth = static_cast<double>(exact(x));
        if (std::abs(truth) < least_normal) continue;
        const double error = std::abs((at(function, x) - truth) / truth);
        if (error > worst) worst = error, where = x;
    }
    std::printf("%s on [%g, %g]: relative error %.3g, at %.9g\n", name, double{from}, double{to}, worst, double{where});
    check(worst < most, "%s: relative error %g at %.9g, above %g", name, worst, double{where}, most);
}

long double exact_exponential(long double x) { return std::exp(x); }
long double exact_sigmoid(long double x) { return 1 / (1 + std::exp(-x)); }
long double exact_tangent(long double x) { return std::tanh(x); }
long double exact_reciprocal(long double x) { return 1 / x; }

void test_errors() {
    check_relative("exponential", exponential, exact_exponential, -87.3f, 88.72f, 1e-7);
    check_relative("exponential", exponential, exact_exponential, -1.f, 1.f, 1e-7);
    check_relative("sigmoid", sigmoid, exact_sigmoid, -87.f, 100.f, 1.7e-7);
    check_relative("sigmoid", sigmoid, exact_sigmoid, -4.f, 4.f, 1.7e-7);
    check_relative("tangent", tangent, exact_tangent, -100.f, 100.f, 2e-7);
    check_relative("tangent", tangent, exact_tangent, -2.f, 2.f, 2e-7);
    check_relative("tangent", tangent, exact_tangent, -1e-3f, 1e-3f, 2e-7);
    check_relative("tangent", tangent, exact_tangent, 1e-38f, 1e-30f, 2e-7);
    check_relative("reciprocal", reciprocal, exact_reciprocal, 1.f, 16.f, 2e-7);
    check_relative("reciprocal", reciprocal, exact_reciprocal, 1.f, 7.9e37f, 2e-7);
}

void expect(const char* name, Function function, float x, float wanted) {
    const float found = at(function, x);
    const bool well = std::isnan(wanted) ? std::isnan(found) : found == wanted;
    check(well, "%s(%g) = %.9g, not %.9g", name, double{x}, double{found}, double{wanted});
}

void test_edges() {
    expect("exponential", exponential, 0.f, 1.f);
    expect("exponential", exponential, -0.f, 1.f);
    expect("exponential", exponential, -100.f, 0.f);
    expect("exponential", exponential, 100.f, infinity);
    expect("sigmoid", sigmoid, 0.f, .5f);
    expect("sigmoid", sigmoid, -100.f, 0.f);
    expect("sigmoid", sigmoid, 100.f, 1.f);
    expect("tangent", tangent, 0.f, 0.f);
    expect("tangent", tangent, 100.f, 1.f);
    expect("tangent", tangent, -100.f, -1.f);
    check(std::signbit(at(tangent, -0.f)), "tangent(-0) is 0, not -0");
    for (const float huge : {1e6f, 3e38f, infinity}) {
        expect("exponential", exponential, huge, infinity);
        expect("exponential", exponential, -huge, 0.f);
        expect("sigmoid", sigmoid, huge, 1.f);
        expect("sigmoid", sigmoid, -huge, 0.f);
        expect("tangent", tangent, huge, 1.f);
        expect("tangent", tangent, -huge, -1.f);
    }
    check(at(reciprocal, infinity) < 2e-38f && at(reciprocal, infinity) >= 0.f, "reciprocal(infinity) is not about 0");
}

/// Also the NaNs with other bits than the usual ones, which arithmetic on bits could turn into numbers.
void test_not_a_number() {
    for (const std::uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7fc00001u, 0xffffffffu, 0x7fc0007fu}) {
        float x;
        std::memcpy(&x, &bits, sizeof x);
        for (const Function function : {exponential, sigmoid, tangent, reciprocal})
            check(std::isnan(at(function, x)), "a NaN (%x) is lost", bits);
    }
    check(std::isnan(greater(broadcast(1.f), broadcast(nan))[0]), "greater(1, NaN) is not its second argument");
    check(lesser(broadcast(nan), broadcast(1.f))[0] == 1.f, "lesser(NaN, 1) is not its second argument");
}

Vector counting() {
    Vector x = {};
    for (Index i = 0; i < width; ++i) x[i] = static_cast<float>(i + 1);
    return x;
}

void test_sums() {
    const Vector x = counting();
    check(sum(x) == static_cast<float>(width * (width + 1) / 2), "the sum of 1, 2, ...");
    for (Index i = 0; i < width; ++i) {
        Vector y = -x;
        y[i] = 7.f;
        check(maximum(y) == 7.f, "the maximum, at place %td", i);
    }
}

/// On memory of just that size, so that a sanitizer sees what goes beyond.
void test_tails() {
    for (Index count = 0; count <= width; ++count) {
        std::vector<float> memory(static_cast<std::size_t>(count), 3.f);
        const Vector found = load_first(memory.data(), count);
        for (Index i = 0; i < width; ++i) check(found[i] == (i < count ? 3.f : 0.f), "load_first(%td) at %td", count, i);

        std::vector<float> kept(static_cast<std::size_t>(width), -1.f);
        store_first(kept.data(), counting(), count);
        for (Index i = 0; i < width; ++i) {
            const float wanted = i < count ? static_cast<float>(i + 1) : -1.f;
            check(kept[static_cast<std::size_t>(i)] == wanted, "store_first(%td) at %td", count, i);
        }
    }
    check(padded(0) == 0 && padded(1) == width && padded(width) == width && padded(width + 1) == 2 * width, "padded");
}

}  // namespace

void run_test() {
    test_errors();
    test_edges();
    test_not_a_number();
    test_sums();
    test_tails();
}
