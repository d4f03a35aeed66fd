// The backward pass of `lstmn`, written out: x̄ is the gradient by x.
//
// Each strand goes through its texts from the last token to the first. What a slot's h and c get from the tokens that
// read them is summed when the slot's own token is reached: Σ_t w_t [h̃̄_t; c̃̄_t], a weighted sum as on the way there.
// What needs no loop comes after it, see lstmn_gradients.cpp.

#include <new>

#include "bad_call.h"
#include "cell.h"
#include "lstmn_backward.h"
#include "weight_gradients.h"

namespace readhead {
namespace {

Gradients take_gradients(const LstmnCall& call, Workspace& workspace) {
    const Index tokens = call.plan.tokens(), rows = call.plan.rows(), dim = call.sizes.dim, stride = call.kept.stride;
    const auto take = [&](Index count, Index columns) { return Rows{workspace.take(count * columns), columns}; };
    Gradients gradients{take(tokens, 5 * dim),
                        take(tokens, dim),
                        take(rows * call.sizes.tokens, 2 * stride),
                        take(call.plan.slots(), stride),
                        take(rows, stride),
                        take(rows, stride)};
    set_zero(gradients.keys, call.plan.slots());
    set_zero(gradients.scores, rows);
    set_zero(gradients.blends, rows);
    return gradients;
}

/// The tokens of a row that could read one of its slots, as steps.
struct Readers {
    Index begin, end;

    Index count() const { return end - begin; }
};

/// slot: counted from the row's first.
Readers readers_of(const LstmnCall& call, Index row, Index slot) {
    const Index token = slot - call.plan.initial(row), length = call.plan.length(row), span = call.sizes.span;
    const Index begin = std::max<Index>(0, token + 1);
    return {begin, std::max(begin, span == 0 ? length : std::min(length, token + span + 1))};
}

/// One strand's way back through its texts.
template <class Scale>
class WayBack {
public:
    WayBack(const LstmnCall& call, const PackedBack& packed, const readhead_lstmn_by_outputs& by_outputs,
            const Gradients& gradients, float* by_added, const readhead_lstmn_gradients& to, Strand strand,
            Workspace& workspace)
        : call_(call),
          packed_(packed),
          by_outputs_(by_outputs),
          gradients_(gradients),
          by_added_{by_added, call.sizes.dim},
          to_(to),
          strand_(strand),
          workspace_(workspace),
          query_(workspace.take(call.kept.stride)),
          by_query_(workspace.take(call.kept.stride)),
          factor_(workspace.take(call.kept.stride)),
          column_(workspace.take(call.sizes.tokens)),
          by_weights_(workspace.take(call.sizes.tokens + call.sizes.slots)),
          by_slot_(workspace.take(2 * call.kept.stride)),
          by_hidden_(take_rows(workspace, active(0), call.sizes.dim)),
          by_u_(take_rows(workspace, active(0), call.sizes.dim)),
          by_blends_(take_rows(workspace, active(0), call.sizes.dim)) {
        by_vectors(dim(), [&](Index j, auto places) {
            store(factor_ + j, 4.f * load(call.weights.attend_score + j, places));
        });
        set_zero(by_hidden_, active(0));
        set_zero(by_blends_, active(0));
    }

    void run() {
        for (Index step = call_.plan.steps() - 1; step >= 0; --step) {
            keys_back(step);
            for (Index i = 0; i < active(step); ++i) cell_back(step, i);
            blends_back(step);
            for (Index i = 0; i < active(step); ++i) read_back(step, i);
        }
        initial_blends_back();
        for (Index i = 0; i < active(0); ++i) initial_slots_back(strand_.row(i));
    }

private:
    Index dim() const { return call_.sizes.dim; }
    Index stride() const { return call_.kept.stride; }
    Index active(Index step) const { return strand_.count(call_.plan.active(step)); }
    Rows of_step(Rows rows, Index step) const { return rows.of(strand_, call_.plan.token(step)); }

    Matrix by_queries(Index step, Index rows) const {
        return of_step(gradients_.steps, step).from(4 * dim()).matrix(rows, dim());
    }

    float* by_read(Index row, Index step) const { return gradients_.reads.row(row * call_.sizes.tokens + step); }

    /// What h gets as a key: u = W_h h, for the rows that went on after this step.
    void keys_back(Index step) {
        const Index rows = active(step + 1);
        if (rows == 0) return;
        for (Index i = 0; i < rows; ++i) {
            float* by_key = gradients_.keys.row(call_.plan.slot(strand_.row(i), step));
            for (Index j = 0; j < stride(); j += width) {
                store(by_key + j, load(by_key + j) * load(factor_ + j));
                store(by_u_.row(i) + j, load(by_key + j));
            }
        }
        multiply(by_u_.matrix(rows, dim()), packed_.attend_hidden, by_hidden_, Into::replace, workspace_);
    }

    /// The gradient by a slot's [h; c] as values, from all tokens that read it. slot: counted from the row's first.
    void sum_readers(Index row, Index slot, float* to) {
        const Readers readers = readers_of(call_, row, slot);
        const float* weights = call_.kept.weights(row, readers.begin) + slot;
        for (Index i = 0; i < readers.count(); ++i) column_[i] = weights[i * call_.kept.weights_stride()];
        weighted_sum(by_read(row, readers.begin), readers.count(), 2 * stride(), column_, to);
    }

    void cell_back(Index step, Index i) {
        const Index row = strand_.row(i), token = call_.plan.token(step) + row, slot = call_.plan.slot(row, step);
        sum_readers(row, slot - call_.plan.tape(row), by_slot_);
        float *by_hidden = by_slot_, *by_memory = by_slot_ + stride();
        const bool was_key = step + 1 < call_.plan.length(row);
        by_vectors(dim(), [&](Index j, auto places) {
            if (was_key) store(by_hidden + j, load(by_hidden + j) + load(by_hidden_.row(i) + j));
            add_output(by_outputs_.hidden, token_place(call_, row, step), j, places, by_hidden);
            add_output(by_outputs_.memory, token_place(call_, row, step), j, places, by_memory);
        });
        const float* kept_values = call_.kept.values.row(slot);
        step_cell_back(dim(), call_.kept.steps.row(token), call_.kept.reads.row(token) + stride(),
                       kept_values + stride(), by_hidden, by_memory, gradients_.steps.row(token),
                       by_read(row, step) + stride());
        if (by_added_.data != nullptr) std::copy(by_memory, by_memory + dim(), by_added_.row(token));
    }

    template <class Places>
    void add_output(const float* by_output, Index row, Index j, Places places, float* to) const {
        if (by_output != nullptr) store(to + j, load(to + j) + load(by_output + row * dim() + j, places));
    }

    /// What h̃ gets from this token's gates, the next token's query and, of the last token, as an output.
    void blends_back(Index step) {
        const Index rows = active(step), next = active(step + 1);
        multiply(of_step(gradients_.steps, step).matrix(rows, 4 * dim()), packed_.gate_blend, by_blends_,
                 Into::replace, workspace_);
        if (next > 0) multiply(by_queries(step + 1, next), packed_.attend_blend, by_blends_, Into::add, workspace_);
        for (Index i = 0; i < rows; ++i) {
            float* by_blend = by_read(strand_.row(i), step);
            std::copy(by_blends_.row(i), by_blends_.row(i) + stride(), by_blend);
            if (step + 1 == call_.plan.length(strand_.row(i)))
                by_vectors(dim(), [&](Index j, auto places) {
                    add_output(by_outputs_.blend, call_.plan.text(strand_.row(i)), j, places, by_blend);
                });
        }
    }

    void read_back(Index step, Index i) {
        const Index row = strand_.row(i), token = call_.plan.token(step) + row;
        const Window window = call_.plan.window(row, step);
        const Slots slots = call_.kept.slots(call_.plan, row, window);
        copy_padded(call_.kept.steps.row(token) + 4 * dim(), dim(), query_);
        inner_products(slots.values, slots.count, 2 * stride(), by_read(row, step), by_weights_);
        add_attention_output(row, step, window);
        softmax_backward(call_.kept.weights(row, step) + window.begin, slots.count, by_weights_);
        const ScoreGradients to{gradients_.keys.row(call_.plan.tape(row) + window.begin), gradients_.scores.row(row)};
        scores_backward<Scale>(slots, query_, by_weights_, to, by_query_);
        finish_query(step, row, token);
    }

    void add_attention_output(Index row, Index step, Window window) {
        if (by_outputs_.attention == nullptr) return;
        const float* from = by_outputs_.attention + token_place(call_, row, step) * call_.kept.weights_stride();
        for (Index n = window.begin; n < window.end; ++n)
            by_weights_[n - window.begin] += from[call_.plan.place(call_.plan.tape(row) + n)];
    }

    void finish_query(Index step, Index row, Index token) {
        float* by_query = gradients_.steps.row(token) + 4 * dim();
        const bool last = step + 1 == call_.plan.length(row);
        if (last) std::fill_n(gradients_.next_queries.row(token), dim(), 0.f);
        float* again = step == 0 ? nullptr : gradients_.next_queries.row(call_.plan.token(step - 1) + row);
        by_vectors(dim(), [&](Index j, auto places) {
            const Vector whole = load(by_query_ + j) * load(factor_ + j);
            store(by_query + j, whole, places);
            if (again != nullptr) store(again + j, whole, places);
        });
    }

    /// What h̃ before the first token gets from the first token's query.
    void initial_blends_back() {
        const Index rows = active(0);
        if (rows == 0) return;
        const Rows to = gradients_.blends.of(strand_, 0);
        multiply(by_queries(0, rows), packed_.attend_blend, to, Into::replace, workspace_);
    }

    /// What the initial slots get as values; and their keys' gradients become whole.
    void initial_slots_back(Index row) {
        for (Index n = 0; n < call_.plan.initial(row); ++n) {
            const Index slot = call_.plan.tape(row) + n;
            const Index place = call_.plan.text(row) * call_.sizes.slots + call_.plan.place(slot);
            sum_readers(row, n, by_slot_);
            std::copy(by_slot_, by_slot_ + dim(), to_.hidden_tape + place * dim());
            std::copy(by_slot_ + stride(), by_slot_ + stride() + dim(), to_.memory_tape + place * dim());
            float* by_key = gradients_.keys.row(slot);
            for (Index j = 0; j < stride(); j += width) store(by_key + j, load(by_key + j) * load(factor_ + j));
        }
    }

    const LstmnCall& call_;
    const PackedBack& packed_;
    const readhead_lstmn_by_outputs& by_outputs_;
    const Gradients& gradients_;
    const Rows by_added_;
    const readhead_lstmn_gradients& to_;
    const Strand strand_;
    Workspace& workspace_;
    float *const query_, *const by_query_, *const factor_, *const column_, *const by_weights_, *const by_slot_;
    const Rows by_hidden_, by_u_, by_blends_;  // of the rows in the step
};

}  // namespace

void lstmn_backward(const LstmnCall& call, const readhead_lstmn_by_outputs& by_outputs, float* by_added,
                    const readhead_lstmn_gradients& to) {
    Workspace& workspace = Workspace::of_piece(0);
    const Workspace::Frame frame(workspace);
    const Index dim = call.sizes.dim, tape = call.sizes.texts * call.sizes.slots * dim;
    const Gradients gradients = take_gradients(call, workspace);
    const PackedBack packed{pack_back(call.weights.gate_blend, 4 * dim, dim, workspace),
                            pack_back(call.weights.attend_blend, dim, dim, workspace),
                            pack_back(call.weights.attend_hidden, dim, dim, workspace)};
    std::fill_n(to.hidden_tape, tape, 0.f);
    std::fill_n(to.memory_tape, tape, 0.f);
    split_into_strands(call.plan, call.sizes.threads, [&](Strand strand, Workspace& own) {
        if (call.kept.exponential()) {
            WayBack<Exponential>(call, packed, by_outputs, gradients, by_added, to, strand, own).run();
        } else {
            WayBack<Plain>(call, packed, by_outputs, gradients, by_added, to, strand, own).run();
        }
    });
    gradients_after_loop(call, packed, gradients, by_outputs.blend, to, workspace);
}

}  // namespace readhead

int32_t readhead_lstmn_backward(const readhead_lstmn_sizes* sizes, const readhead_lstmn_weights* weights,
                                const readhead_lstmn_texts* texts, const readhead_lstmn_by_outputs* by_outputs,
                                const float* kept, const readhead_lstmn_gradients* gradients) try {
    using namespace readhead;
    if (!is_whole(sizes, weights, texts, gradients) || by_outputs == nullptr || kept == nullptr)
        return READHEAD_BAD_CALL;
    const Plan plan = plan_of(*sizes, *texts);
    const Kept as_kept(const_cast<float*>(kept), *sizes, plan);  // which only the forward pass writes to
    lstmn_backward({*sizes, *weights, *texts, plan, as_kept}, *by_outputs, nullptr, *gradients);
    return READHEAD_DONE;
} catch (const std::bad_alloc&) {
    return READHEAD_NO_MEMORY;
}
