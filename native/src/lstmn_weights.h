// The weights of `lstmn` as its forward pass wants them.

#pragma once

#include "matrix.h"
#include "readhead_lstmn.h"

namespace readhead {

/// The weights' matrices, packed: each takes a vector of its depth to one of its columns. It does not own its memory.
struct LstmnPacked {
    Packed gate_input, attend_input, gate_blend, attend_blend, attend_hidden;

    /// How many floats they take.
    static Index size(Index input_dim, Index dim) {
        return packed_size(input_dim, 4 * dim) + packed_size(input_dim, dim) + packed_size(dim, 4 * dim) +
               2 * packed_size(dim, dim);
    }

    /// Of what `pack_weights` wrote to `memory`.
    static LstmnPacked at(const float* memory, Index input_dim, Index dim) {
        const auto next = [&](Index depth, Index columns) {
            const Packed packed{memory, depth, columns};
            memory += packed_size(depth, columns);
            return packed;
        };
        // Braces are filled from left to right, which is the order in memory.
        return {next(input_dim, 4 * dim), next(input_dim, dim), next(dim, 4 * dim), next(dim, dim), next(dim, dim)};
    }
};

inline void pack_weights(const readhead_lstmn_sizes& sizes, const readhead_lstmn_weights& weights, float* memory) {
    const auto pack_next = [&](const float* weight, Index columns, Index depth) {
        pack(Matrix::of_rows(weight, columns, depth, depth).transposed(), memory);
        memory += packed_size(depth, columns);
    };
    pack_next(weights.gate_input, 4 * sizes.dim, sizes.input_dim);
    pack_next(weights.attend_input, sizes.dim, sizes.input_dim);
    pack_next(weights.gate_blend, 4 * sizes.dim, sizes.dim);
    pack_next(weights.attend_blend, sizes.dim, sizes.dim);
    pack_next(weights.attend_hidden, sizes.dim, sizes.dim);
}

}  // namespace readhead
