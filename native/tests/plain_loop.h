// `lstmn` and `fusion` as plain loops over the equations, in double: what the kernels are held against.
//
// Equation numbers are those of Cheng, Dong and Lapata (2016). Nothing of the kernels' source is used.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "readhead_fusion.h"

using Count = std::int64_t;
using Doubles = std::vector<double>;
using Bytes = std::vector<std::uint8_t>;

inline std::size_t many(Count count) {
    return static_cast<std::size_t>(count);
}

/// The arrays that there are gradients by, in the C interface's order: of `lstmn`, then what `fusion` has besides.
struct In {
    enum : std::size_t {
        inputs, attend_hidden, attend_input, attend_blend, attend_bias, attend_score,
        gate_input, gate_blend, gate_bias, hidden_tape, memory_tape, blend, of_lstmn,
        fuse_source = of_lstmn, fuse_input, fuse_blend, fuse_bias, fuse_score,
        gate_source_input, gate_source_blend, gate_source_bias, source_hidden, source_memory, source_blend, of_fusion
    };
};

/// The arrays that are written, likewise.
struct Out {
    enum : std::size_t {
        hidden, memory, attention, blend, of_lstmn,
        source_attention = of_lstmn, source_blend, of_fusion
    };
};

template <class Number>
using InArrays = std::array<std::vector<Number>, In::of_fusion>;

template <class Number>
using OutArrays = std::array<std::vector<Number>, Out::of_fusion>;

/// The sizes and masks of a call. fused: it is one of `fusion`, not of `lstmn`. source_slots: S.
struct Shape {
    bool fused;
    readhead_lstmn_sizes sizes;
    Count source_slots;
    Bytes mask, written, source_mask;
};

/// to += W x. weight: [rows of `to`, rows of x], as torch has it.
void add_product(const Doubles& weight, const Doubles& x, Doubles& to);

/// Row `row` of rows of `columns` numbers.
Doubles row_of(const Doubles& rows, Count row, Count columns);

/// What is written, of just its size.
OutArrays<double> plain_loop(const Shape& shape, const InArrays<double>& given);
