// The forward pass of `lstmn`: Cheng, Dong and Lapata (2016), eq. (4)-(9).
//
// What does not depend on a token before is one product for all tokens, before the loop. The strands of the loop
// share nothing: each takes its own texts from the first token to the last.

#include <new>

#include "bad_call.h"
#include "cell.h"
#include "lstmn.h"

namespace readhead {
namespace {

/// A bound of |u| for the keys of all tokens, whose |h| is below 1: max_j Σ_k |W_jk|. weight: [dim, dim].
float key_bound(const float* weight, Index dim) {
    float largest = 0.f;
    for (Index j = 0; j < dim; ++j, weight += dim) {
        Vector total = {};
        by_vectors(dim, [&](Index k, auto places) { total += absolute(load(weight + k, places)); });
        largest = std::max(largest, sum(total));
    }
    return largest;
}

/// The gates' sums and the queries of all tokens, as far as they come from the inputs.
void project_inputs(const LstmnCall& call, const LstmnPacked& packed, Workspace& workspace) {
    const Workspace::Frame frame(workspace);
    const readhead_lstmn_sizes& sizes = call.sizes;
    const Index tokens = call.plan.tokens();
    const Rows inputs = take_rows(workspace, tokens, sizes.input_dim);
    gather_inputs(sizes, call.plan, call.texts.inputs, inputs);
    const Matrix left = inputs.matrix(tokens, sizes.input_dim);
    multiply_split(sizes.threads, left, packed.gate_input, call.kept.steps, Into::replace);
    multiply_split(sizes.threads, left, packed.attend_input, call.kept.steps.from(4 * sizes.dim), Into::replace);
}

/// Copies what the batch has in the initial slots to the rows' tapes, and their h to `hidden`, [initial slots, stride].
void gather_initial_slots(const LstmnCall& call, Rows hidden) {
    const Index dim = call.sizes.dim;
    for (Index row = 0, n = 0; row < call.plan.rows(); ++row)
        for (Index i = 0; i < call.plan.initial(row); ++i, ++n) {
            const Index slot = call.plan.tape(row) + i;
            const Index from = (call.plan.text(row) * call.sizes.slots + call.plan.place(slot)) * dim;
            float* values = call.kept.values.row(slot);
            copy_padded(call.texts.hidden_tape + from, dim, values);
            copy_padded(call.texts.memory_tape + from, dim, values + call.kept.stride);
            std::copy(values, values + call.kept.stride, hidden.row(n));
        }
}

/// The tapes' initial slots and their keys; this decides on the scale.
void write_initial_slots(const LstmnCall& call, const LstmnPacked& packed, Workspace& workspace) {
    const Workspace::Frame frame(workspace);
    const Index dim = call.sizes.dim, count = call.plan.slots() - call.plan.tokens();
    const Rows hidden = take_rows(workspace, count, dim), u = take_rows(workspace, count, dim);
    gather_initial_slots(call, hidden);
    set_zero(u, count);
    multiply(hidden.matrix(count, dim), packed.attend_hidden, u, Into::replace, workspace);
    // |h| < 1 bounds the keys of tokens; what stands on the initial tape may be any number.
    const float largest = std::max(key_bound(call.weights.attend_hidden, dim), largest_magnitude(u, count, dim));
    call.kept.set_exponential(largest <= Exponential::limit);
    for (Index row = 0, n = 0; row < call.plan.rows(); n += call.plan.initial(row), ++row) {
        const auto write = call.kept.exponential() ? write_keys<Exponential> : write_keys<Plain>;
        write(call.kept.keys, call.plan.tape(row), u, n, call.plan.initial(row));
    }
}

/// One strand's way through its texts.
template <class Scale>
class Reading {
public:
    Reading(const LstmnCall& call, const LstmnPacked& packed, const float* added,
            const readhead_lstmn_outputs& outputs, Strand strand, Workspace& workspace)
        : call_(call),
          packed_(packed),
          added_{added, call.sizes.dim},
          outputs_(outputs),
          strand_(strand),
          workspace_(workspace),
          doubled_score_(workspace.take(call.kept.stride)),
          query_(workspace.take(call.kept.stride)),
          hidden_(take_rows(workspace, active(0), call.sizes.dim)),
          u_(take_rows(workspace, active(0), call.sizes.dim)) {
        by_vectors(dim(), [&](Index j, auto places) {
            store(doubled_score_ + j, -2.f * load(call.weights.attend_score + j, places));
        });
        set_zero(u_, active(0));
    }

    void run() {
        query_from_initial_blends();
        for (Index step = 0; active(step) > 0; ++step) {
            for (Index i = 0; i < active(step); ++i) read(step, strand_.row(i));
            carry_blends(step);
            for (Index i = 0; i < active(step); ++i) write(step, i);
            write_keys_of(step);
        }
    }

private:
    Index dim() const { return call_.sizes.dim; }
    Index active(Index step) const { return strand_.count(call_.plan.active(step)); }
    Rows of_step(Rows rows, Index step) const { return rows.of(strand_, call_.plan.token(step)); }

    Rows queries(Index step) const { return of_step(call_.kept.steps, step).from(4 * dim()); }

    /// What the queries of the first tokens have of h̃ before them.
    void query_from_initial_blends() {
        const Index rows = active(0);
        if (rows == 0) return;
        for (Index i = 0; i < rows; ++i) {
            const float* blend = call_.texts.blend + call_.plan.text(strand_.row(i)) * dim();
            copy_padded(blend, dim(), hidden_.row(i));
        }
        multiply(hidden_.matrix(rows, dim()), packed_.attend_blend, queries(0), Into::add, workspace_);
    }

    /// Eq. (4)-(6) for one row.
    void read(Index step, Index row) {
        const Index token = call_.plan.token(step) + row;
        float* kept_query = call_.kept.steps.row(token) + 4 * dim();
        finish_query<Scale>(dim(), call_.weights.attend_bias, kept_query, query_);
        const Window window = call_.plan.window(row, step);
        float* weights = call_.kept.weights(row, step) + window.begin;
        attend<Scale>(call_.kept.slots(call_.plan, row, window), query_, doubled_score_, weights,
                      call_.kept.reads.row(token));
    }

    /// What h̃ gives to the gates of this token and to the query of the next.
    void carry_blends(Index step) {
        const Rows blends = of_step(call_.kept.reads, step);
        const Index next = active(step + 1);
        multiply(blends.matrix(active(step), dim()), packed_.gate_blend, of_step(call_.kept.steps, step), Into::add,
                 workspace_);
        if (next > 0)
            multiply(blends.matrix(next, dim()), packed_.attend_blend, queries(step + 1), Into::add, workspace_);
    }

    /// Eq. (7)-(9) for the strand's i-th row: h and c go to its tape and to the outputs.
    void write(Index step, Index i) {
        const Index row = strand_.row(i), token = call_.plan.token(step) + row, slot = call_.plan.slot(row, step);
        const Index stride = call_.kept.stride;
        float* values = call_.kept.values.row(slot);
        const float* added = added_.data == nullptr ? nullptr : added_.row(token);
        step_cell(dim(), call_.kept.steps.row(token), call_.weights.gate_bias, call_.kept.reads.row(token) + stride,
                  added, values, values + stride);
        std::copy(values, values + stride, hidden_.row(i));
        const Index to = token_place(call_, row, step);
        std::copy(values, values + dim(), outputs_.hidden + to * dim());
        std::copy(values + stride, values + stride + dim(), outputs_.memory + to * dim());
    }

    /// u = W_h h of this step's tokens, for all rows that go on.
    void write_keys_of(Index step) {
        const Index next = active(step + 1);
        if (next == 0) return;
        multiply(hidden_.matrix(next, dim()), packed_.attend_hidden, u_, Into::replace, workspace_);
        for (Index i = 0; i < next; ++i)
            write_keys<Scale>(call_.kept.keys, call_.plan.slot(strand_.row(i), step), u_, i, 1);
    }

    const LstmnCall& call_;
    const LstmnPacked& packed_;
    const ConstRows added_;
    const readhead_lstmn_outputs& outputs_;
    const Strand strand_;
    Workspace& workspace_;
    float* const doubled_score_;
    float* const query_;
    const Rows hidden_, u_;  // of the rows in the step
};

/// Zeros in the outputs' rows of padding.
void write_padding(const LstmnCall& call, const readhead_lstmn_outputs& outputs) {
    const readhead_lstmn_sizes& sizes = call.sizes;
    if (call.plan.tokens() == sizes.texts * sizes.tokens) return;
    for (Index token = 0; token < sizes.texts * sizes.tokens; ++token) {
        if (call.texts.mask[token] != 0) continue;
        std::fill_n(outputs.hidden + token * sizes.dim, sizes.dim, 0.f);
        std::fill_n(outputs.memory + token * sizes.dim, sizes.dim, 0.f);
    }
}

/// The weights where the batch has their slots, and zeros elsewhere.
void write_attention(const LstmnCall& call, float* attention) {
    const readhead_lstmn_sizes& sizes = call.sizes;
    const Index columns = sizes.slots + sizes.tokens;
    std::fill_n(attention, sizes.texts * sizes.tokens * columns, 0.f);
    for (Index row = 0; row < call.plan.rows(); ++row)
        for (Index step = 0; step < call.plan.length(row); ++step) {
            float* to = attention + token_place(call, row, step) * columns;
            const float* weights = call.kept.weights(row, step);
            const Window window = call.plan.window(row, step);
            for (Index n = window.begin; n < window.end; ++n) to[call.plan.place(call.plan.tape(row) + n)] = weights[n];
        }
}

/// h̃ of each text's last token, or as it was before the first if it has none.
void write_blends(const LstmnCall& call, float* to) {
    const Index dim = call.sizes.dim;
    for (Index row = 0; row < call.plan.rows(); ++row) {
        const Index text = call.plan.text(row), length = call.plan.length(row);
        const float* blend = length == 0 ? call.texts.blend + text * dim
                                         : call.kept.reads.row(call.plan.token(length - 1) + row);
        std::copy(blend, blend + dim, to + text * dim);
    }
}

}  // namespace

void lstmn_forward(const LstmnCall& call, const LstmnPacked& packed, const float* added,
                   const readhead_lstmn_outputs& outputs) {
    Workspace& workspace = Workspace::of_piece(0);
    project_inputs(call, packed, workspace);
    write_initial_slots(call, packed, workspace);
    split_into_strands(call.plan, call.sizes.threads, [&](Strand strand, Workspace& own) {
        if (call.kept.exponential()) {
            Reading<Exponential>(call, packed, added, outputs, strand, own).run();
        } else {
            Reading<Plain>(call, packed, added, outputs, strand, own).run();
        }
    });
    write_padding(call, outputs);
    write_attention(call, outputs.attention);
    write_blends(call, outputs.blend);
}

}  // namespace readhead

int64_t readhead_lstmn_kept_size(const readhead_lstmn_sizes* sizes) {
    return readhead::Kept::size(*sizes);
}

int64_t readhead_lstmn_packed_size(const readhead_lstmn_sizes* sizes) {
    return readhead::LstmnPacked::size(sizes->input_dim, sizes->dim);
}

void readhead_lstmn_pack(const readhead_lstmn_sizes* sizes, const readhead_lstmn_weights* weights, float* packed) {
    readhead::pack_weights(*sizes, *weights, packed);
}

int32_t readhead_lstmn_forward(const readhead_lstmn_sizes* sizes, const readhead_lstmn_weights* weights,
                               const float* packed, const readhead_lstmn_texts* texts,
                               const readhead_lstmn_outputs* outputs, float* kept) try {
    using namespace readhead;
    if (!is_whole(sizes, weights, texts, outputs)) return READHEAD_BAD_CALL;
    Workspace& workspace = Workspace::of_piece(0);
    const Workspace::Frame frame(workspace);
    if (packed == nullptr) {
        float* memory = workspace.take(LstmnPacked::size(sizes->input_dim, sizes->dim));
        pack_weights(*sizes, *weights, memory);
        packed = memory;
    }
    if (kept == nullptr) kept = workspace.take(Kept::size(*sizes));
    const Plan plan = plan_of(*sizes, *texts);
    const Kept to_keep(kept, *sizes, plan);
    const LstmnCall call{*sizes, *weights, *texts, plan, to_keep};
    lstmn_forward(call, LstmnPacked::at(packed, sizes->input_dim, sizes->dim), nullptr, *outputs);
    return READHEAD_DONE;
} catch (const std::bad_alloc&) {
    return READHEAD_NO_MEMORY;
}
