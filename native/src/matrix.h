// Matrix products, with a right-hand side that is packed once and then used for many products.
//
// All in float32 and on the calling thread. A matrix is a view: pointer, sizes and strides, all counted in floats.

#pragma once

#include "vector.h"
#include "workspace.h"

namespace readhead {

/// A matrix to be read, of any layout; it does not own its memory.
struct Matrix {
    const float* data;
    Index rows, columns;
    Index row_stride, column_stride;

    /// [rows, columns], row after row, each row `row_stride` floats behind the one before.
    static Matrix of_rows(const float* data, Index rows, Index columns, Index row_stride) {
        return {data, rows, columns, row_stride, 1};
    }

    Matrix transposed() const { return {data, columns, rows, column_stride, row_stride}; }
};

/// A right-hand side [depth, columns] in panels of adjacent columns; it does not own its memory.
///
/// Panel after panel; in a panel row after row. A panel is `panel_width` wide, the last one as many whole vectors as
/// its columns need, with zeros in the columns that are none.
struct Packed {
    const float* panels;
    Index depth, columns;
};

/// How many floats `pack` writes for a right-hand side [depth, columns].
Index packed_size(Index depth, Index columns);

/// Packs `matrix`, [depth, columns], into packed_size(depth, columns) floats at `panels`, best at a multiple of 64
/// bytes, which must outlive what is returned. (Weights [out, in] as in torch: pack `Matrix::of_rows(...).transposed()`.)
Packed pack(const Matrix& matrix, float* panels);

/// What becomes of what the result's memory held before.
enum class Into { replace, add };

/// result = left · right, or result += left · right.
///
/// left: [rows, depth], any layout; adjacent columns are the fastest, and then nothing is taken of the workspace.
/// right: [depth, columns].
/// result: [rows, columns], row after row, `row_stride` floats apart; nothing else is written. It overlaps neither.
///
/// The weights' gradients, over all steps at once, are products too: Aᵀ·B with A [steps, out] and B [steps, in] is
/// multiply(A.transposed(), pack(B, ...), ...).
void multiply(const Matrix& left, const Packed& right, float* result, Index row_stride, Into into, Workspace& workspace);

}  // namespace readhead
