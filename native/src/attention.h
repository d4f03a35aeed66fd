// Additive attention of one query over the slots of one tape, and its way back.
//
// For key u_n and query q:   a_n = v·tanh(u_n + q)      w = softmax(a)      y = Σ_n w_n value_n
//
// With r = 1 / (1 + e^(2u + 2q)) it is tanh(u + q) = 1 - 2r, and Σ v drops out of the softmax. Keys and queries stand
// in memory as e^(2u) and e^(2q): then a slot costs a multiplication and a reciprocal per number, and r, which is all
// that the way back needs, is computed twice instead of kept. Where e^(2u) could leave the range of floats they stand
// there as 2u and 2q.
//
// Rows of keys, values, queries and scores hold whole vectors; in the places that are none of theirs they are finite,
// and the score is 0.

#pragma once

#include <algorithm>

#include "tails.h"

namespace readhead {

/// Keys and queries as powers of e; exact while no |u| is above `limit`: an |e^(2q)| that is cut off then makes
/// every tanh ±1 as it is without being cut off.
struct Exponential {
    static constexpr float limit = 33.f;

    static Vector key(Vector u) { return exponential(2.f * u); }

    static Vector query(Vector q) {
        const Vector most = broadcast(86.f);
        return exponential(lesser(most, greater(-most, 2.f * q)));
    }

    static Vector power(Vector key, Vector query) { return key * query; }
};

/// Keys and queries as they are; exact everywhere.
struct Plain {
    static Vector key(Vector u) { return 2.f * u; }

    static Vector query(Vector q) { return 2.f * q; }

    static Vector power(Vector key, Vector query) { return exponential(key + query); }
};

/// e^(2u + 2q), at most 8e37: infinity times 0 would be NaN.
template <class Scale>
inline Vector power(Vector key, Vector query) {
    return lesser(broadcast(8e37f), Scale::power(key, query));
}

/// r = 1 / (1 + power), rounded about once: a step of Newton's takes away what the rounding of 1 + power did to it.
/// Without it tanh = 1 - 2r had several times the error of a tanh where it is nearly -1.
inline Vector residue(Vector power) {
    const Vector r = reciprocal(1.f + power);
    return multiply_add(r, multiply_add(-r, power, 1.f - r), r);
}

/// r (1 - r): from the lesser of r and 1 - r = power · r, of which all digits are there where it is small.
inline Vector slope(Vector power, Vector residue) {
    const Vector less = lesser(residue, power * residue);
    return multiply_add(-less, less, less);
}

/// Slots one after the other; it does not own their memory.
struct Slots {
    const float* keys;    // [count, stride]
    const float* values;  // [count, 2, stride]
    Index count;
    Index stride;  // whole vectors
};

/// Calls four(n), for n = 0, 4, ... while there are four, and one(n) for those left over.
template <class Four, class One>
inline void by_fours(Index count, const Four& four, const One& one) {
    Index n = 0;
    for (; n + 4 <= count; n += 4) four(n);
    for (; n < count; ++n) one(n);
}

/// to_n = Σ_j weights_j r_nj, for every slot. weights, query: [stride].
template <class Scale>
inline void residue_sums(const Slots& slots, const float* query, const float* weights, float* to) {
    const auto sums = [&](auto number, Index n) __attribute__((always_inline)) {
        constexpr Index rows = decltype(number)::value;
        const float* keys = slots.keys + n * slots.stride;
        Vector total[rows] = {};
        for (Index j = 0; j < slots.stride; j += width) {
            const Vector q = load(query + j), v = load(weights + j);
            for (Index i = 0; i < rows; ++i)
                total[i] = multiply_add(v, residue(power<Scale>(load(keys + i * slots.stride + j), q)), total[i]);
        }
        for (Index i = 0; i < rows; ++i) to[n + i] = sum(total[i]);
    };
    by_fours(slots.count, [&](Index n) { sums(std::integral_constant<Index, 4>{}, n); },
             [&](Index n) { sums(std::integral_constant<Index, 1>{}, n); });
}

/// In place: from scores to weights. count: at least 1.
inline void softmax(float* scores, Index count) {
    const float largest = *std::max_element(scores, scores + count);
    Vector total = {};
    by_vectors(count, [&](Index n, auto places) {
        store(scores + n, exponential(load(scores + n, places) - largest), places);
        total += load(scores + n, places);
    });
    const float factor = 1.f / sum(total);
    by_vectors(count, [&](Index n, auto places) { store(scores + n, factor * load(scores + n, places), places); });
}

/// to = Σ_n weights_n rows_n. rows: [count, columns], to: [columns], whole vectors.
inline void weighted_sum(const float* rows, Index count, Index columns, const float* weights, float* to) {
    std::fill(to, to + columns, 0.f);
    const auto add = [&](auto number, Index n) __attribute__((always_inline)) {
        constexpr Index some = decltype(number)::value;
        Vector weight[some];
        for (Index i = 0; i < some; ++i) weight[i] = broadcast(weights[n + i]);
        const float* from = rows + n * columns;
        for (Index j = 0; j < columns; j += width) {
            Vector total = load(to + j);
            for (Index i = 0; i < some; ++i) total = multiply_add(weight[i], load(from + i * columns + j), total);
            store(to + j, total);
        }
    };
    by_fours(count, [&](Index n) { add(std::integral_constant<Index, 4>{}, n); },
             [&](Index n) { add(std::integral_constant<Index, 1>{}, n); });
}

/// to_n = rows_n · by. rows: [count, columns], by: [columns], whole vectors.
inline void inner_products(const float* rows, Index count, Index columns, const float* by, float* to) {
    const auto products = [&](auto number, Index n) __attribute__((always_inline)) {
        constexpr Index some = decltype(number)::value;
        const float* from = rows + n * columns;
        Vector total[some] = {};
        for (Index j = 0; j < columns; j += width)
            for (Index i = 0; i < some; ++i)
                total[i] = multiply_add(load(from + i * columns + j), load(by + j), total[i]);
        for (Index i = 0; i < some; ++i) to[n + i] = sum(total[i]);
    };
    by_fours(count, [&](Index n) { products(std::integral_constant<Index, 4>{}, n); },
             [&](Index n) { products(std::integral_constant<Index, 1>{}, n); });
}

/// Reads a tape; of no slots it reads zeros.
///
/// doubled_score: -2v, [stride]. query: in the scale, [stride]. weights: [count], written.
/// read: y, [2, stride], written.
template <class Scale>
inline void attend(const Slots& slots, const float* query, const float* doubled_score, float* weights, float* read) {
    if (slots.count > 0) {
        residue_sums<Scale>(slots, query, doubled_score, weights);
        softmax(weights, slots.count);
    }
    weighted_sum(slots.values, slots.count, 2 * slots.stride, weights, read);
}

/// In place: from the gradient by the weights to that by the scores. weights: [count].
inline void softmax_backward(const float* weights, Index count, float* gradient) {
    Vector total = {};
    by_vectors(count, [&](Index n, auto places) {
        total = multiply_add(load(weights + n, places), load(gradient + n, places), total);
    });
    const float mean = sum(total);
    by_vectors(count, [&](Index n, auto places) {
        store(gradient + n, load(weights + n, places) * (load(gradient + n, places) - mean), places);
    });
}

/// What the way back through the scores adds to; it does not own their memory. All but a factor, see `attend_backward`.
struct ScoreGradients {
    float* by_keys;   // [count, stride]
    float* by_score;  // [stride]
};

/// The way back through `attend`, but for the values.
///
/// weights: [count], as `attend` wrote them. by_scores: [count], ā.
/// gradients: adds Σ_n ā_n r_n to by_score, to be multiplied by -2; and ā_n r_n (1 - r_n) to by_keys, to be
///     multiplied by 4v when nothing more will be added.
/// by_query: [stride], written: Σ_n ā_n r_n (1 - r_n), likewise to be multiplied by 4v.
template <class Scale>
inline void scores_backward(const Slots& slots, const float* query, const float* by_scores,
                            const ScoreGradients& gradients, float* by_query) {
    std::fill(by_query, by_query + slots.stride, 0.f);
    const auto add = [&](auto number, Index n) __attribute__((always_inline)) {
        constexpr Index some = decltype(number)::value;
        const float* keys = slots.keys + n * slots.stride;
        float* by_keys = gradients.by_keys + n * slots.stride;
        Vector by[some];
        for (Index i = 0; i < some; ++i) by[i] = broadcast(by_scores[n + i]);
        for (Index j = 0; j < slots.stride; j += width) {
            const Vector q = load(query + j);
            Vector all_score = load(gradients.by_score + j), all_query = load(by_query + j);
            for (Index i = 0; i < some; ++i) {
                const Vector e = power<Scale>(load(keys + i * slots.stride + j), q), r = residue(e);
                const Vector by_key = by[i] * slope(e, r);
                float* to = by_keys + i * slots.stride + j;
                store(to, load(to) + by_key);
                all_score = multiply_add(by[i], r, all_score);
                all_query += by_key;
            }
            store(gradients.by_score + j, all_score);
            store(by_query + j, all_query);
        }
    };
    by_fours(slots.count, [&](Index n) { add(std::integral_constant<Index, 4>{}, n); },
             [&](Index n) { add(std::integral_constant<Index, 1>{}, n); });
}

}  // namespace readhead
