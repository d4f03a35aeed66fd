// A call's work in pieces, each on a thread of its own and with a workspace of its own.

#pragma once

#include "rows.h"
#include "threads.h"

namespace readhead {

/// Calls work(strand, workspace) for all strands of a plan's rows, each on a thread of its own.
template <class Work>
void split_into_strands(const Plan& plan, Index threads, const Work& work) {
    const Index pieces = pieces_of(plan.rows(), threads);
    std::vector<Workspace*> workspaces;  // the calling thread's: the others cannot ask for them
    for (Index piece = 0; piece < pieces; ++piece) workspaces.push_back(&Workspace::of_piece(piece));
    split(pieces, pieces, [&](Index, Index, Index piece) {
        Workspace& workspace = *workspaces[static_cast<std::size_t>(piece)];
        const Workspace::Frame frame(workspace);
        work(Strand{piece, pieces}, workspace);
    });
}

/// result = left · right, or added to it, in pieces of its rows, each on a thread of its own.
inline void multiply_split(Index threads, const Matrix& left, const Packed& right, Rows result, Into into) {
    const Index pieces = pieces_of(left.rows, threads);
    std::vector<Workspace*> workspaces;
    for (Index piece = 0; piece < pieces; ++piece) workspaces.push_back(&Workspace::of_piece(piece));
    split(left.rows, pieces, [&](Index begin, Index end, Index piece) {
        const Matrix part{left.data + begin * left.row_stride, end - begin, left.columns, left.row_stride,
                          left.column_stride};
        multiply(part, right, Rows{result.row(begin), result.stride}, into,
                 *workspaces[static_cast<std::size_t>(piece)]);
    });
}

}  // namespace readhead
