// What the two halves of the backward pass of `lstmn` share: the loop, and what comes after it.

#pragma once

#include "lstmn.h"

namespace readhead {

/// Gradients inside of a call, and what else is needed until its end. Rows as in Kept; it does not own its memory.
struct Gradients {
    Rows steps;         // [tokens, 5D]: by the sums of i, f, o, ĉ, and by the query
    Rows next_queries;  // [tokens, D]: by the query of the text's next token, which h̃ of this one went into
    Rows reads;         // [texts · T, 2, stride]: by h̃ and c̃, row by row
    Rows keys;          // [slots, stride]
    Rows scores;        // [texts, stride]: by v, of each row
    Rows blends;        // [texts, D]: by h̃ before the first token, of each row
};

/// The weights' matrices as gradients are multiplied by them.
struct PackedBack {
    Packed gate_blend, attend_blend, attend_hidden;
};

/// What the loop over the steps leaves to do: the gradients by the weights, by the inputs, and by h̃ before the first
/// token; and what the initial slots' h gets as keys is added to `to.hidden_tape`.
///
/// by_last_blends: [B, D], the gradient by h̃ of the last tokens; null = zero.
void gradients_after_loop(const LstmnCall& call, const PackedBack& packed, const Gradients& gradients,
                          const float* by_last_blends, const readhead_lstmn_gradients& to, Workspace& workspace);

}  // namespace readhead
