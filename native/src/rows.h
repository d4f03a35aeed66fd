// Views of memory as rows.

#pragma once

#include "matrix.h"
#include "plan.h"

namespace readhead {

/// Rows that lie `stride` floats apart; it does not own their memory.
template <class Float>
struct RowsOf {
    Float* data;
    Index stride;

    Float* row(Index i) const { return data + i * stride; }

    /// A strand's rows, of those from `first` on.
    RowsOf of(Strand strand, Index first) const { return {row(first + strand.piece), stride * strand.pieces}; }

    /// The columns from `column` on.
    RowsOf from(Index column) const { return {data + column, stride}; }

    /// The first `rows` rows, and of each the first `columns` numbers.
    Matrix matrix(Index rows, Index columns) const { return Matrix::of_rows(data, rows, columns, stride); }

    operator RowsOf<const Float>() const { return {data, stride}; }
};

using Rows = RowsOf<float>;
using ConstRows = RowsOf<const float>;

/// result = left · right, or added to it.
inline void multiply(const Matrix& left, const Packed& right, Rows result, Into into, Workspace& workspace) {
    multiply(left, right, result.data, result.stride, into, workspace);
}

/// Takes rows of a workspace, each at a multiple of the vectors' width.
inline Rows take_rows(Workspace& workspace, Index rows, Index columns) {
    return {workspace.take(rows * padded(columns)), padded(columns)};
}

inline void set_zero(Rows rows, Index count) {
    std::fill(rows.data, rows.data + count * rows.stride, 0.f);
}

}  // namespace readhead
