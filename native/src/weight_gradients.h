// The gradients of weights: each is one product over all tokens, or all slots.

#pragma once

#include "split.h"

namespace readhead {

/// A weight as gradients are multiplied by it. weight: [rows, columns].
inline Packed pack_back(const float* weight, Index rows, Index columns, Workspace& workspace) {
    return pack(Matrix::of_rows(weight, rows, columns, columns), workspace.take(packed_size(rows, columns)));
}

/// to = Σ of the rows. rows: [count, columns].
inline void sum_rows(ConstRows rows, Index count, Index columns, float* to) {
    std::fill_n(to, columns, 0.f);
    for (Index i = 0; i < count; ++i)
        by_vectors(columns, [&](Index j, auto places) {
            store(to + j, load(to + j, places) + load(rows.row(i) + j, places), places);
        });
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
