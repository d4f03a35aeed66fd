// Calls at random: sizes are given, numbers and masks are not.

#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "kernel_call.h"

/// What numbers a call has. room: of how much the answers may be wrong.
struct Kind {
    const char* name;
    Count slots, span;
    bool ragged;
    double key_bound;   // of |u| for a tape's own tokens, if not 0: above 33 the kernels take another way
    double tape_bound;  // the largest |u| of initial slots and of a source's, if not 0
    double bias;        // |b| of the queries, if not 0
    double room;
};

class Random {
public:
    /// So many numbers between -limit and limit, each of them a float.
    Doubles numbers(std::size_t count, double limit) {
        std::uniform_real_distribution<double> between(-limit, limit);
        Doubles found(count);
        for (double& x : found) x = static_cast<float>(between(generator_));
        return found;
    }

    bool coin() { return generator_() % 2 == 0; }

private:
    std::mt19937 generator_{7};
};

/// The first text is whole, of the second tokens are missing, at its end and in between, and the others are empty.
inline Bytes ragged_mask(Count texts, Count tokens) {
    Bytes mask(many(texts * tokens), 1);
    for (Count text = 1; text < texts; ++text)
        for (Count t = 0; t < tokens; ++t)
            if (text > 1 || t % 3 == 2 || (t > 0 && t + 1 == tokens)) mask[many(text * tokens + t)] = 0;
    return mask;
}

/// The first text lacks some slots, the second has none, and the others have any.
inline Bytes random_slots(Count texts, Count slots, Random& random) {
    Bytes is_there(many(texts * slots), 1);
    for (Count text = 0; text < texts; ++text)
        for (Count n = 0; n < slots; ++n)
            if (text == 1 || (text == 0 && n % 3 == 1) || (text > 1 && random.coin()))
                is_there[many(text * slots + n)] = 0;
    return is_there;
}

/// Scales numbers by what makes `largest` of them `bound`; they stay floats.
inline void scale_to(double bound, double largest, Doubles& numbers) {
    if (bound == 0 || largest == 0) return;
    for (double& x : numbers) x = static_cast<float>(x * (bound / largest));
}

/// The largest sum of |W_jk| in a row of [dim, dim]: no h of absolute values up to 1 has a key beyond it.
inline double key_bound(const Doubles& weight, std::size_t dim) {
    double largest = 0;
    for (std::size_t j = 0; j < dim; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < dim; ++k) sum += std::abs(weight[j * dim + k]);
        largest = std::max(largest, sum);
    }
    return largest;
}

inline double largest_key(const Doubles& weight, const Doubles& tape, std::size_t dim) {
    double largest = 0;
    for (std::size_t n = 0; n < tape.size() / dim; ++n) {
        Doubles key(dim);
        add_product(weight, row_of(tape, static_cast<Count>(n), static_cast<Count>(dim)), key);
        for (const double u : key) largest = std::max(largest, std::abs(u));
    }
    return largest;
}

/// Numbers for the arrays of `lstmn`, and of `fusion` if it is that.
inline InArrays<double> random_inputs(const Shape& shape, const Kind& kind, Random& random) {
    const std::size_t texts = many(shape.sizes.texts), tokens = texts * many(shape.sizes.tokens);
    const std::size_t E = many(shape.sizes.input_dim), D = many(shape.sizes.dim);
    const std::size_t slots = texts * many(shape.sizes.slots), source = texts * many(shape.source_slots);
    const std::size_t counts[In::of_fusion] = {
        tokens * E, D * D,      D * E, D * D, D, D,      // inputs, attend_hidden, _input, _blend, _bias, _score
        4 * D * E,  4 * D * D,  4 * D,                   // gate_input, _blend, _bias
        slots * D,  slots * D,  texts * D,               // hidden_tape, memory_tape, blend
        D * D,      D * E,      D * D, D,     D,         // fuse_source, _input, _blend, _bias, _score
        D * E,      D * D,      D,                       // gate_source_input, _blend, _bias
        source * D, source * D, texts * D,               // source_hidden, _memory, _blend
    };
    InArrays<double> given;
    for (std::size_t i = 0; i < (shape.fused ? In::of_fusion : In::of_lstmn); ++i) {
        const bool is_state = i == In::inputs || i >= In::source_hidden || (i >= In::hidden_tape && i <= In::blend);
        given[i] = random.numbers(counts[i], is_state ? 1 : 1.5 / std::sqrt(static_cast<double>(D)));
    }
    scale_to(kind.key_bound, key_bound(given[In::attend_hidden], D), given[In::attend_hidden]);
    const auto scale_tape = [&](std::size_t weight, std::size_t tape) {
        scale_to(kind.tape_bound, largest_key(given[weight], given[tape], D), given[tape]);
    };
    scale_tape(In::attend_hidden, In::hidden_tape);
    if (shape.fused) scale_tape(In::fuse_source, In::source_hidden);
    for (const std::size_t bias : {In::attend_bias, In::fuse_bias})
        for (double& b : given[bias])
            if (kind.bias != 0) b = random.coin() ? kind.bias : -kind.bias;
    return given;
}

/// without: the output, if there is one of that number, that the task has no gradient by.
inline Task random_task(bool fused, const Kind& kind, Count texts, Count tokens, Count dim, std::size_t without,
                        Random& random) {
    const Count source_slots = fused ? 5 : 0;
    Task task{{fused, {texts, tokens, 3, dim, kind.slots, kind.span, 1}, source_slots, {}, {}, {}}, {}, {}};
    task.shape.mask = kind.ragged ? ragged_mask(texts, tokens) : Bytes(many(texts * tokens), 1);
    task.shape.written = random_slots(texts, kind.slots, random);
    task.shape.source_mask = random_slots(texts, source_slots, random);
    task.given = random_inputs(task.shape, kind, random);
    const OutArrays<double> outputs = plain_loop(task.shape, task.given);
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (i != without) task.by_outputs[i] = random.numbers(outputs[i].size(), 1);
    return task;
}
