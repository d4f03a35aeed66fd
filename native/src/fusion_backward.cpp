// The backward pass of `fusion`, written out: x̄ is the gradient by x.
//
// First `lstmn`'s, which gives the gradient by r ⊙ α̃ of every token; then that of the reading of the source.

#include <new>

#include "bad_call.h"
#include "fusion.h"
#include "weight_gradients.h"

namespace readhead {
namespace {

/// Gradients inside of a call. Rows as in SourceKept; it does not own its memory.
struct SourceGradients {
    Rows gates;         // [tokens, D]: by the sums of r
    Rows queries;       // [tokens, D]
    Rows next_queries;  // [tokens, D]: by the query of the text's next token, which γ̃ of this one went into
    Rows blends;        // [tokens, D]: by γ̃, as far as it comes from the gates
    Rows reads;         // [texts · T, 2, stride]: by γ̃ and α̃, row by row
    Rows keys;          // [slots, stride]
    Rows values;        // [slots, 2, stride]
    Rows scores;        // [texts, stride]: by u, of each row
};

SourceGradients take_gradients(const FusionCall& call, Workspace& workspace) {
    const Index tokens = call.lstmn.plan.tokens(), rows = call.lstmn.plan.rows(), slots = call.plan.slots();
    const Index dim = call.lstmn.sizes.dim, stride = call.kept.stride;
    const auto take = [&](Index count, Index columns) { return Rows{workspace.take(count * columns), columns}; };
    const SourceGradients gradients{take(tokens, dim),
                                    take(tokens, dim),
                                    take(tokens, dim),
                                    take(tokens, dim),
                                    take(rows * call.lstmn.sizes.tokens, 2 * stride),
                                    take(slots, stride),
                                    take(slots, 2 * stride),
                                    take(rows, stride)};
    set_zero(gradients.keys, slots);
    set_zero(gradients.scores, rows);
    return gradients;
}

/// The way back through r ⊙ α̃. by_added: [tokens, D], its gradient; becomes that by α̃.
void gates_back(const FusionCall& call, Rows by_added, const SourceGradients& gradients, Workspace& workspace) {
    const Workspace::Frame frame(workspace);
    const Index dim = call.lstmn.sizes.dim, tokens = call.lstmn.plan.tokens();
    for (Index token = 0; token < tokens; ++token) {
        const float *gates = call.kept.gates.row(token), *memory = call.kept.reads.row(token) + call.kept.stride;
        float *by = by_added.row(token), *by_sums = gradients.gates.row(token);
        by_vectors(dim, [&](Index j, auto places) {
            const Vector r = load(gates + j, places), whole = load(by + j, places);
            store(by_sums + j, whole * load(memory + j) * (r * (1.f - r)), places);
            store(by + j, whole * r, places);
        });
    }
    const Packed weight = pack_back(call.weights.gate_source_blend, dim, dim, workspace);
    multiply_split(call.lstmn.sizes.threads, gradients.gates.matrix(tokens, dim), weight, gradients.blends,
                   Into::replace);
}

/// One strand's way back through the reading of its sources.
template <class Scale>
class SourceWayBack {
public:
    SourceWayBack(const FusionCall& call, const Packed& recurrent, Rows by_memories,
                  const readhead_fusion_by_outputs& by_outputs, const SourceGradients& gradients, Strand strand,
                  Workspace& workspace)
        : call_(call),
          plan_(call.lstmn.plan),
          recurrent_(recurrent),
          by_memories_(by_memories),
          by_outputs_(by_outputs),
          gradients_(gradients),
          strand_(strand),
          workspace_(workspace),
          query_(workspace.take(call.kept.stride)),
          by_query_(workspace.take(call.kept.stride)),
          factor_(workspace.take(call.kept.stride)),
          by_weights_(workspace.take(call.source.slots)),
          column_(workspace.take(call.lstmn.sizes.tokens)) {
        by_vectors(dim(), [&](Index j, auto places) {
            store(factor_ + j, 4.f * load(call.weights.fuse_score + j, places));
        });
    }

    void run() {
        for (Index step = plan_.steps() - 1; step >= 0; --step) {
            const Index next = active(step + 1);
            const Rows blends = gradients_.blends.of(strand_, plan_.token(step));
            if (next > 0)
                multiply(gradients_.queries.of(strand_, plan_.token(step + 1)).matrix(next, dim()), recurrent_, blends,
                         Into::add, workspace_);
            for (Index i = 0; i < active(step); ++i) read_back(step, strand_.row(i));
        }
        for (Index i = 0; i < strand_.count(plan_.rows()); ++i) slots_back(strand_.row(i));
    }

private:
    Index dim() const { return call_.lstmn.sizes.dim; }
    Index stride() const { return call_.kept.stride; }
    Index active(Index step) const { return strand_.count(plan_.active(step)); }
    float* by_read(Index row, Index step) const { return gradients_.reads.row(row * call_.lstmn.sizes.tokens + step); }

    void read_back(Index step, Index row) {
        const Index token = plan_.token(step) + row;
        const Slots slots = call_.kept.slots(call_.plan, row);
        write_by_read(step, row, token);
        copy_padded(call_.kept.queries.row(token), dim(), query_);
        inner_products(slots.values, slots.count, 2 * stride(), by_read(row, step), by_weights_);
        if (by_outputs_.source_attention != nullptr) add_attention_output(step, row);
        softmax_backward(call_.kept.weights(row, step), slots.count, by_weights_);
        const ScoreGradients to{gradients_.keys.row(call_.plan.begin(row)), gradients_.scores.row(row)};
        scores_backward<Scale>(slots, query_, by_weights_, to, by_query_);
        const bool last = step + 1 == plan_.length(row);
        if (last) std::fill_n(gradients_.next_queries.row(token), dim(), 0.f);
        float* by_query = gradients_.queries.row(token);
        by_vectors(dim(), [&](Index j, auto places) {
            store(by_query + j, load(by_query_ + j) * load(factor_ + j), places);
        });
        if (step > 0) std::copy_n(by_query, dim(), gradients_.next_queries.row(plan_.token(step - 1) + row));
    }

    void write_by_read(Index step, Index row, Index token) {
        float* to = by_read(row, step);
        copy_padded(gradients_.blends.row(token), dim(), to);
        copy_padded(by_memories_.row(token), dim(), to + stride());
        if (by_outputs_.source_blend == nullptr || step + 1 < plan_.length(row)) return;
        const float* by_blend = by_outputs_.source_blend + plan_.text(row) * dim();
        by_vectors(dim(), [&](Index j, auto places) { store(to + j, load(to + j) + load(by_blend + j, places)); });
    }

    void add_attention_output(Index step, Index row) {
        const Index slots = call_.source.slots;
        const float* from = by_outputs_.source_attention + token_place(call_.lstmn, row, step) * slots;
        for (Index n = 0; n < call_.plan.count(row); ++n)
            by_weights_[n] += from[call_.plan.place(call_.plan.begin(row) + n) - plan_.text(row) * slots];
    }

    /// What a source's slots get as values; and their keys' gradients become whole.
    void slots_back(Index row) {
        for (Index n = 0; n < call_.plan.count(row); ++n) {
            const Index slot = call_.plan.begin(row) + n, length = plan_.length(row);
            const float* weights = call_.kept.weights(row, 0) + n;
            for (Index i = 0; i < length; ++i) column_[i] = weights[i * call_.kept.weights_stride()];
            weighted_sum(by_read(row, 0), length, 2 * stride(), column_, gradients_.values.row(slot));
            float* by_key = gradients_.keys.row(slot);
            for (Index j = 0; j < stride(); j += width) store(by_key + j, load(by_key + j) * load(factor_ + j));
        }
    }

    const FusionCall& call_;
    const Plan& plan_;
    const Packed& recurrent_;
    const Rows by_memories_;
    const readhead_fusion_by_outputs& by_outputs_;
    const SourceGradients& gradients_;
    const Strand strand_;
    Workspace& workspace_;
    float *const query_, *const by_query_, *const factor_, *const by_weights_, *const column_;
};

/// The gradients by the source's tapes: as values, and as keys.
void tapes_back(const FusionCall& call, const SourceGradients& gradients, const readhead_fusion_gradients& to,
                Workspace& workspace) {
    const Workspace::Frame frame(workspace);
    const readhead_lstmn_sizes& sizes = call.lstmn.sizes;
    const Index dim = sizes.dim, slots = call.plan.slots(), all = sizes.texts * call.source.slots * dim;
    const Packed weight = pack_back(call.weights.fuse_source, dim, dim, workspace);
    multiply_split(sizes.threads, gradients.keys.matrix(slots, dim), weight, gradients.values, Into::add);
    std::fill_n(to.source_hidden, all, 0.f);
    std::fill_n(to.source_memory, all, 0.f);
    for (Index slot = 0; slot < slots; ++slot) {
        const float* by_values = gradients.values.row(slot);
        std::copy_n(by_values, dim, to.source_hidden + call.plan.place(slot) * dim);
        std::copy_n(by_values + call.kept.stride, dim, to.source_memory + call.plan.place(slot) * dim);
    }
}

/// The gradient by γ̃ before the first token; and what it adds to that by W_γ̃.
void initial_blends_back(const FusionCall& call, const Packed& recurrent, const SourceGradients& gradients,
                         const float* by_last_blends, const readhead_fusion_gradients& to, Workspace& workspace) {
    const Workspace::Frame frame(workspace);
    const Plan& plan = call.lstmn.plan;
    const Index dim = call.lstmn.sizes.dim, first = plan.active(0);
    const Rows blends = take_rows(workspace, first, dim), by_blends = take_rows(workspace, first, dim);
    multiply(gradients.queries.matrix(first, dim), recurrent, by_blends, Into::replace, workspace);
    for (Index row = 0; row < plan.rows(); ++row) {
        float* by_blend = to.source_blend + plan.text(row) * dim;
        if (row < first) {
            std::copy_n(call.source.source_blend + plan.text(row) * dim, dim, blends.row(row));
            std::copy_n(by_blends.row(row), dim, by_blend);
        } else if (by_last_blends != nullptr) {
            std::copy_n(by_last_blends + plan.text(row) * dim, dim, by_blend);
        } else {
            std::fill_n(by_blend, dim, 0.f);
        }
    }
    const WeightGradients of_blends(call.lstmn.sizes.threads, blends, first, dim, workspace);
    of_blends.write(gradients.queries, dim, to.fuse_blend, Into::add);
}

/// The weights' gradients.
void weights_back(const FusionCall& call, const SourceGradients& gradients, const readhead_fusion_gradients& to,
                  Workspace& workspace) {
    const Index dim = call.lstmn.sizes.dim, input_dim = call.lstmn.sizes.input_dim;
    const Index tokens = call.lstmn.plan.tokens(), threads = call.lstmn.sizes.threads;
    {
        const WeightGradients of_slots(threads, call.kept.values, call.plan.slots(), dim, workspace);
        of_slots.write(gradients.keys, dim, to.fuse_source, Into::replace);
    }
    {
        const WeightGradients of_blends(threads, call.kept.reads, tokens, dim, workspace);
        of_blends.write(gradients.next_queries, dim, to.fuse_blend, Into::replace);
        of_blends.write(gradients.gates, dim, to.gate_source_blend, Into::replace);
    }
    const Workspace::Frame frame(workspace);
    const Rows inputs = take_rows(workspace, tokens, input_dim);
    gather_inputs(call.lstmn.sizes, call.lstmn.plan, call.lstmn.texts.inputs, inputs);
    const WeightGradients of_inputs(threads, inputs, tokens, input_dim, workspace);
    of_inputs.write(gradients.queries, dim, to.fuse_input, Into::replace);
    of_inputs.write(gradients.gates, dim, to.gate_source_input, Into::replace);
    sum_rows(gradients.queries, tokens, dim, to.fuse_bias);
    sum_rows(gradients.gates, tokens, dim, to.gate_source_bias);
    sum_rows(gradients.scores, call.lstmn.plan.rows(), dim, to.fuse_score);
    for (Index j = 0; j < dim; ++j) to.fuse_score[j] *= -2.f;
}

/// What the inputs get through the source is added.
void inputs_back(const FusionCall& call, const SourceGradients& gradients, float* to, Workspace& workspace) {
    const Workspace::Frame frame(workspace);
    const Plan& plan = call.lstmn.plan;
    const readhead_lstmn_sizes& sizes = call.lstmn.sizes;
    const Rows by_inputs = take_rows(workspace, plan.tokens(), sizes.input_dim);
    const Packed queries = pack_back(call.weights.fuse_input, sizes.dim, sizes.input_dim, workspace);
    const Packed gates = pack_back(call.weights.gate_source_input, sizes.dim, sizes.input_dim, workspace);
    const auto left = [&](Rows rows) { return rows.matrix(plan.tokens(), sizes.dim); };
    multiply_split(sizes.threads, left(gradients.queries), queries, by_inputs, Into::replace);
    multiply_split(sizes.threads, left(gradients.gates), gates, by_inputs, Into::add);
    for (Index row = 0; row < plan.rows(); ++row)
        for (Index step = 0; step < plan.length(row); ++step) {
            const float* from = by_inputs.row(plan.token(step) + row);
            float* sums = to + token_place(call.lstmn, row, step) * sizes.input_dim;
            for (Index j = 0; j < sizes.input_dim; ++j) sums[j] += from[j];
        }
}

/// by_added: [tokens, D], the gradient by r ⊙ α̃; is overwritten. by_inputs: [B, T, E], is added to.
void source_backward(const FusionCall& call, Rows by_added, const readhead_fusion_by_outputs& by_outputs,
                     float* by_inputs, const readhead_fusion_gradients& to, Workspace& workspace) {
    const Index dim = call.lstmn.sizes.dim;
    const SourceGradients gradients = take_gradients(call, workspace);
    gates_back(call, by_added, gradients, workspace);
    const Packed recurrent = pack_back(call.weights.fuse_blend, dim, dim, workspace);
    split_into_strands(call.lstmn.plan, call.lstmn.sizes.threads, [&](Strand strand, Workspace& own) {
        if (call.kept.exponential()) {
            SourceWayBack<Exponential>(call, recurrent, by_added, by_outputs, gradients, strand, own).run();
        } else {
            SourceWayBack<Plain>(call, recurrent, by_added, by_outputs, gradients, strand, own).run();
        }
    });
    tapes_back(call, gradients, to, workspace);
    weights_back(call, gradients, to, workspace);
    initial_blends_back(call, recurrent, gradients, by_outputs.source_blend, to, workspace);
    inputs_back(call, gradients, by_inputs, workspace);
}

}  // namespace
}  // namespace readhead

int32_t readhead_fusion_backward(const readhead_lstmn_sizes* sizes, const readhead_lstmn_weights* weights,
                                 const readhead_lstmn_texts* texts, const readhead_fusion_weights* fusion_weights,
                                 const readhead_fusion_source* source, const readhead_lstmn_by_outputs* by_outputs,
                                 const readhead_fusion_by_outputs* fusion_by_outputs, const float* kept,
                                 const readhead_lstmn_gradients* gradients,
                                 const readhead_fusion_gradients* fusion_gradients) try {
    using namespace readhead;
    if (!is_whole(sizes, weights, texts, gradients, fusion_weights, source) ||
        !is_there(*sizes, fusion_gradients, source->slots) || by_outputs == nullptr ||
        fusion_by_outputs == nullptr || kept == nullptr)
        return READHEAD_BAD_CALL;
    Workspace& workspace = Workspace::of_piece(0);
    const Workspace::Frame frame(workspace);
    const Plan plan = plan_of(*sizes, *texts);
    const SourcePlan source_plan(plan, *source);
    float* memory = const_cast<float*>(kept);  // which only the forward pass writes to
    const Kept as_kept(memory, *sizes, plan);
    const SourceKept source_kept(memory + Kept::size(*sizes), *sizes, source->slots, plan, source_plan);
    const LstmnCall call{*sizes, *weights, *texts, plan, as_kept};
    const Rows by_added{workspace.take(plan.tokens() * sizes->dim), sizes->dim};
    lstmn_backward(call, *by_outputs, by_added.data, *gradients);
    source_backward({call, *fusion_weights, *source, source_plan, source_kept}, by_added, *fusion_by_outputs,
                    gradients->inputs, *fusion_gradients, workspace);
    return READHEAD_DONE;
} catch (const std::bad_alloc&) {
    return READHEAD_NO_MEMORY;
}
