// The gradients of weights: each is one product over all tokens, or all slots.

#pragma once

#include <algorithm>
#include <vector>

#include "split.h"

namespace readhead {

/// A weight as gradients are multiplied by it. weight: [rows, columns].
inline Packed pack_back(const float* weight, Index rows, Index columns, Workspace& workspace) {
    return pack(Matrix::of_rows(weight, rows, columns, columns), workspace.take(packed_size(rows, columns)));
}

/// to += a row. row, to: [columns].
inline void add_row(const float* row, Index columns, float* to) {
    by_vectors(columns, [&](Index j, auto places) {
        store(to + j, load(to + j, places) + load(row + j, places), places);
    });
}

/// to = Σ of the rows. rows: [count, columns]. Block by block: one long sum would round a thousand times.
inline void sum_rows(ConstRows rows, Index count, Index columns, float* to) {
    constexpr Index block = 32;
    std::vector<float> part(columns);
    std::fill_n(to, columns, 0.f);
    for (Index first = 0; first < count; first += block) {
        std::fill(part.begin(), part.end(), 0.f);
        for (Index i = first; i < std::min(first + block, count); ++i) add_row(rows.row(i), columns, part.data());
        add_row(part.data(), columns, to);
    }
}

/// Σ left_iᵀ right_i for several lefts and one right: the gradients of weights that the rows of `right` went into.
class WeightGradients {
public:
    /// right: [count, columns].
    WeightGradients(Index threads, ConstRows right, Index count, Index columns, Workspace& workspace)
        : threads_(threads),
          frame_(workspace),
          right_(pack(right.matrix(count, columns), workspace.take(packed_size(count, columns)))) {}

    /// to: [columns of left, columns], contiguous. left: [count, columns].
    void write(ConstRows left, Index columns, float* to, Into into) const {
        const Matrix turned = left.matrix(right_.depth, columns).transposed();
        multiply_split(threads_, turned, right_, Rows{to, right_.columns}, into);
    }

private:
    Index threads_;
    Workspace::Frame frame_;
    Packed right_;
};

}  // namespace readhead
