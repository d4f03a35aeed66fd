// What the forward and the backward pass of `lstmn` share.

#pragma once

#include <cmath>

#include "attention.h"
#include "lstmn_weights.h"
#include "split.h"

namespace readhead {

/// What the forward pass leaves for the backward; it does not own its memory.
///
/// Rows of steps and reads are tokens, counted step by step as Plan does; those of values and keys are slots, counted
/// row by row. stride: of vectors of D numbers, whole vectors.
class Kept {
public:
    static constexpr Index header = 16;  // floats; the first says which scale it is

    /// How many floats it needs, for any instruction set's vectors.
    static Index size(const readhead_lstmn_sizes& sizes) {
        const Index stride = (sizes.dim + 15) / 16 * 16;
        return header + sizes.texts * sizes.tokens * (5 * sizes.dim + 2 * stride + sizes.slots + sizes.tokens) +
               sizes.texts * (sizes.slots + sizes.tokens) * 3 * stride;
    }

    Kept(float* memory, const readhead_lstmn_sizes& sizes, const Plan& plan)
        : stride(padded(sizes.dim)),
          steps{memory + header, 5 * sizes.dim},
          reads{steps.row(plan.tokens()), 2 * stride},
          values{reads.row(plan.tokens()), 2 * stride},
          keys{values.row(plan.slots()), stride},
          scale_(memory),
          weights_{keys.row(plan.slots()), sizes.slots + sizes.tokens},
          tokens_(sizes.tokens) {}

    bool exponential() const { return *scale_ != 0.f; }
    void set_exponential(bool exponential) const { *scale_ = exponential ? 1.f : 0.f; }

    /// What a row's token of step `step` gave to each of the row's slots.
    float* weights(Index row, Index step) const { return weights_.row(row * tokens_ + step); }
    Index weights_stride() const { return weights_.stride; }

    Slots slots(const Plan& plan, Index row, Window window) const {
        const Index first = plan.tape(row) + window.begin;
        return {keys.row(first), values.row(first), window.end - window.begin, stride};
    }

    const Index stride;
    const Rows steps;   // [tokens, 5D]: i, f, o, ĉ, and the query in the scale
    const Rows reads;   // [tokens, 2, stride]: h̃ and c̃
    const Rows values;  // [slots, 2, stride]: h and c
    const Rows keys;    // [slots, stride], in the scale

private:
    float* scale_;
    Rows weights_;
    Index tokens_;
};

/// The plan of a call.
inline Plan plan_of(const readhead_lstmn_sizes& sizes, const readhead_lstmn_texts& texts) {
    return Plan(texts.mask, texts.written, sizes.texts, sizes.tokens, sizes.slots, sizes.span);
}

/// A call of `lstmn`, forward or backward: what is given, and what is kept between the two.
struct LstmnCall {
    const readhead_lstmn_sizes& sizes;
    const readhead_lstmn_weights& weights;
    const readhead_lstmn_texts& texts;
    const Plan& plan;
    const Kept& kept;
};

/// Which of the batch's [B, T] tokens a row's token of step `step` is.
inline Index token_place(const LstmnCall& call, Index row, Index step) {
    const Index token = call.plan.place(call.plan.slot(row, step)) - call.sizes.slots;
    return call.plan.text(row) * call.sizes.tokens + token;
}

/// Eq. (4)-(9). added: [tokens, D], step by step, goes into c besides eq. (8); null = nothing.
void lstmn_forward(const LstmnCall& call, const LstmnPacked& packed, const float* added,
                   const readhead_lstmn_outputs& outputs);

/// The way back. by_added: [tokens, D], the gradient by `added`, is written; null = nobody wants it.
void lstmn_backward(const LstmnCall& call, const readhead_lstmn_by_outputs& by_outputs, float* by_added,
                    const readhead_lstmn_gradients& gradients);

/// Copies the inputs of all real tokens, [texts, tokens, E], to `to`, [real tokens, E], step by step.
inline void gather_inputs(const readhead_lstmn_sizes& sizes, const Plan& plan, const float* inputs, Rows to) {
    for (Index row = 0; row < plan.rows(); ++row) {
        const float* text = inputs + plan.text(row) * sizes.tokens * sizes.input_dim;
        for (Index step = 0; step < plan.length(row); ++step) {
            const Index token = plan.place(plan.slot(row, step)) - sizes.slots;
            const float* from = text + token * sizes.input_dim;
            std::copy(from, from + sizes.input_dim, to.row(plan.token(step) + row));
        }
    }
}

/// A query's sums get their bias and become the query, in the scale, where they stand and in `query`, whole vectors.
template <class Scale>
inline void finish_query(Index dim, const float* bias, float* sums, float* query) {
    by_vectors(dim, [&](Index j, auto places) {
        const Vector q = Scale::query(load(sums + j, places) + load(bias + j, places));
        store(sums + j, q, places);
        store(query + j, q);
    });
}

/// Keys, in the scale, from `count` rows of u.
template <class Scale>
inline void write_keys(Rows keys, Index row, ConstRows u, Index from, Index count) {
    for (Index i = 0; i < count; ++i)
        for (Index j = 0; j < keys.stride; j += width)
            store(keys.row(row + i) + j, Scale::key(load(u.row(from + i) + j)));
}

inline float largest_magnitude(Rows rows, Index count, Index columns) {
    float largest = 0.f;
    for (Index i = 0; i < count; ++i)
        for (Index j = 0; j < columns; ++j) largest = std::max(largest, std::abs(rows.row(i)[j]));
    return largest;
}

}  // namespace readhead
