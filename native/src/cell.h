// One row's step of an LSTM cell that goes on from a memory c̃, and the way back.
//
//   [i; f; o; ĉ] = [σ; σ; σ; tanh](sums)      c = f ⊙ c̃ + i ⊙ ĉ      h = o ⊙ tanh(c)

#pragma once

#include "tails.h"

namespace readhead {

/// gates: [4 dim], sums without `bias`, which become i, f, o, ĉ. bias: [4 dim]. before: c̃. added: what else goes into
/// c, or null. hidden, memory: h and c, whole vectors are written.
inline void step_cell(Index dim, float* gates, const float* bias, const float* before, const float* added,
                      float* hidden, float* memory) {
    by_vectors(dim, [&](Index j, auto places) __attribute__((always_inline)) {
        const auto sums = [&](Index gate) {
            return load(gates + gate * dim + j, places) + load(bias + gate * dim + j, places);
        };
        const Vector i = sigmoid(sums(0)), f = sigmoid(sums(1)), o = sigmoid(sums(2)), candidate = tangent(sums(3));
        store(gates + j, i, places);
        store(gates + dim + j, f, places);
        store(gates + 2 * dim + j, o, places);
        store(gates + 3 * dim + j, candidate, places);
        Vector c = multiply_add(f, load(before + j), i * candidate);  // eq. (8)
        if (added != nullptr) c += load(added + j, places);           // eq. (15)
        store(memory + j, c);
        store(hidden + j, o * tangent(c));  // eq. (9)
    });
}

/// gates, before, memory: as the step left them; by_hidden, by_memory: h̄, c̄ but for what comes through h; whole
/// vectors. by_sums: [4 dim], written. by_memory becomes the whole of c̄; by_before: of c̃, whole vectors are written.
inline void step_cell_back(Index dim, const float* gates, const float* before, const float* memory,
                           const float* by_hidden, float* by_memory, float* by_sums, float* by_before) {
    by_vectors(dim, [&](Index j, auto places) __attribute__((always_inline)) {
        const Vector i = load(gates + j, places), f = load(gates + dim + j, places);
        const Vector o = load(gates + 2 * dim + j, places), candidate = load(gates + 3 * dim + j, places);
        const Vector exposed = tangent(load(memory + j)), by_h = load(by_hidden + j);
        const Vector by_c = multiply_add(by_h * o, 1.f - exposed * exposed, load(by_memory + j));
        store(by_sums + j, by_c * candidate * (i * (1.f - i)), places);
        store(by_sums + dim + j, by_c * load(before + j) * (f * (1.f - f)), places);
        store(by_sums + 2 * dim + j, by_h * exposed * (o * (1.f - o)), places);
        store(by_sums + 3 * dim + j, by_c * i * (1.f - candidate * candidate), places);
        store(by_memory + j, by_c);
        store(by_before + j, by_c * f);
    });
}

}  // namespace readhead
