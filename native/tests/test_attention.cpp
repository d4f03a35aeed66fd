// Attention over one tape, forward and backward, against sums in double; on both scales, and where tanh is ±1.

#include "attention.h"

#include <cmath>
#include <random>
#include <vector>

#include "check.h"

using namespace readhead;

namespace {

using Floats = std::vector<float>;

std::size_t many(Index count) {
    return static_cast<std::size_t>(count);
}

/// Numbers between -limit and limit in the first `columns` places of each row of whole vectors, and zeros after them.
Floats random_rows(Index rows, Index columns, float limit) {
    static std::mt19937 generator(3);
    std::uniform_real_distribution<float> between(-limit, limit);
    Floats numbers(many(rows * padded(columns)));
    for (Index row = 0; row < rows; ++row)
        for (Index j = 0; j < columns; ++j) numbers[many(row * padded(columns) + j)] = between(generator);
    return numbers;
}

Floats by_vector(Vector (*function)(Vector), const Floats& numbers) {
    Floats found(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); i += many(width)) store(&found[i], function(load(&numbers[i])));
    return found;
}

/// A tape and who reads it: u, [count, dim], values, [count, 2, dim], q and v, [dim]; ȳ, [2, dim], a gradient by what
/// is read, and w̄, [count], one by the weights.
struct Reading {
    Index count, dim;
    Floats u, values, q, v, by_read, by_weights;

    Reading(Index count_, Index dim_, float largest_u, float largest_q)
        : count(count_),
          dim(dim_),
          u(random_rows(count, dim, largest_u)),
          values(random_rows(2 * count, dim, 1.f)),
          q(random_rows(1, dim, largest_q)),
          v(random_rows(1, dim, 1.f)),
          by_read(random_rows(2, dim, 1.f)),
          by_weights(random_rows(count, 1, 1.f)) {}

    double key(Index n, Index j) const { return u[many(n * padded(dim) + j)]; }
    double tangent_at(Index n, Index j) const { return std::tanh(key(n, j) + q[many(j)]); }
    double value(Index n, Index j) const { return values[many(n * 2 * padded(dim) + j)]; }
    double by_weight(Index n) const { return by_weights[many(n * padded(1))]; }
};

/// What is right, row by row as in memory, but the rows of what is read not padded.
struct Exact {
    std::vector<double> weights, read, by_scores;

    explicit Exact(const Reading& reading) : weights(many(reading.count)), read(many(2 * padded(reading.dim))) {
        double largest = -HUGE_VAL, sum = 0, mean = 0;
        for (Index n = 0; n < reading.count; ++n) {
            for (Index j = 0; j < reading.dim; ++j) weights[many(n)] += reading.v[many(j)] * reading.tangent_at(n, j);
            largest = std::max(largest, weights[many(n)]);
        }
        for (double& weight : weights) sum += weight = std::exp(weight - largest);
        for (Index n = 0; n < reading.count; ++n) {
            weights[many(n)] /= sum;
            double by_weight = reading.by_weight(n);
            for (Index j = 0; j < 2 * padded(reading.dim); ++j) {
                read[many(j)] += weights[many(n)] * reading.value(n, j);
                by_weight += reading.by_read[many(j)] * reading.value(n, j);
            }
            by_scores.push_back(by_weight);
            mean += weights[many(n)] * by_weight;
        }
        for (Index n = 0; n < reading.count; ++n) by_scores[many(n)] = weights[many(n)] * (by_scores[many(n)] - mean);
    }
};

void compare(double found, double wanted, double size, const Reading& reading, const char* what) {
    check(std::abs(found - wanted) <= 2e-6 * size, "%s: %.9g, not %.9g (%td slots of %td)", what, found, wanted,
          reading.count, reading.dim);
}

/// 4v Σ ā r (1 - r) is Σ v ā (1 - tanh²), and -2 Σ ā r differs from Σ ā tanh by Σ ā, which is 0.
void compare_gradients(const Reading& reading, const Exact& exact, const Floats& by_keys, const Floats& by_score,
                       const Floats& by_query) {
    const double size = static_cast<double>(reading.dim);
    for (Index j = 0; j < reading.dim; ++j) {
        double query = 0, score = 0;
        for (Index n = 0; n < reading.count; ++n) {
            const double by = exact.by_scores[many(n)], tangent = reading.tangent_at(n, j);
            const double slope = 1 / std::pow(std::cosh(reading.key(n, j) + reading.q[many(j)]), 2);
            query += by * slope;
            score += by * tangent;
            compare(4 * by_keys[many(n * padded(reading.dim) + j)], by * slope, size, reading, "gradient by a key");
        }
        compare(4 * by_query[many(j)], query, size, reading, "gradient by the query");
        compare(-2 * by_score[many(j)], score, size, reading, "gradient by v");
    }
}

template <class Scale>
void test_reading(const Reading& reading) {
    const Exact exact(reading);
    const Index stride = padded(reading.dim);
    const Floats keys = by_vector(Scale::key, reading.u), query = by_vector(Scale::query, reading.q);
    Floats doubled_score = reading.v;
    for (float& v : doubled_score) v *= -2.f;
    const Slots slots{keys.data(), reading.values.data(), reading.count, stride};
    Floats weights(many(reading.count), std::nanf("")), read(many(2 * stride), std::nanf(""));
    attend<Scale>(slots, query.data(), doubled_score.data(), weights.data(), read.data());
    for (std::size_t n = 0; n < weights.size(); ++n) compare(weights[n], exact.weights[n], 1, reading, "a weight");
    for (std::size_t j = 0; j < read.size(); ++j) compare(read[j], exact.read[j], 1, reading, "what is read");

    Floats by_scores(many(reading.count), std::nanf("")), by_query(many(stride), std::nanf(""));
    inner_products(reading.values.data(), reading.count, 2 * stride, reading.by_read.data(), by_scores.data());
    for (Index n = 0; n < reading.count; ++n) by_scores[many(n)] += static_cast<float>(reading.by_weight(n));
    softmax_backward(weights.data(), reading.count, by_scores.data());
    for (std::size_t n = 0; n < by_scores.size(); ++n)
        compare(by_scores[n], exact.by_scores[n], double(reading.dim), reading, "gradient by a score");
    Floats by_keys(keys.size()), by_score(many(stride));
    scores_backward<Scale>(slots, query.data(), by_scores.data(), {by_keys.data(), by_score.data()}, by_query.data());
    compare_gradients(reading, exact, by_keys, by_score, by_query);
}

}  // namespace

void run_test() {
    for (const Index count : {0, 1, 2, 3, 4, 5, 8, 23})
        for (const Index dim : {1, 7, 16, 17, 33})
            for (const float largest_q : {1.f, 30.f, 100.f}) {
                for (const float largest_u : {1.f, Exponential::limit})
                    test_reading<Exponential>(Reading(count, dim, largest_u, largest_q));
                for (const float largest_u : {1.f, 100.f})
                    test_reading<Plain>(Reading(count, dim, largest_u, largest_q));
            }
}
