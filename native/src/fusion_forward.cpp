// The forward pass of `fusion`: Cheng, Dong and Lapata (2016), eq. (11)-(16).
//
// γ̃ does not depend on the reader's own tapes. So the source is read first, by every token, and r ⊙ α̃ of eq. (15) is
// there for all tokens before the first state is; then `lstmn` runs and adds it to c.

#include <new>

#include "bad_call.h"
#include "fusion.h"

namespace readhead {
namespace {

/// weight: [columns, depth], as torch has it.
Packed pack_weight(const float* weight, Index columns, Index depth, Workspace& workspace) {
    return pack(Matrix::of_rows(weight, columns, depth, depth).transposed(),
                workspace.take(packed_size(depth, columns)));
}

/// The queries and the gates' sums of all tokens, as far as they come from the inputs.
void project_inputs(const FusionCall& call, Workspace& workspace) {
    const Workspace::Frame frame(workspace);
    const readhead_lstmn_sizes& sizes = call.lstmn.sizes;
    const Index tokens = call.lstmn.plan.tokens();
    const Rows inputs = take_rows(workspace, tokens, sizes.input_dim);
    gather_inputs(sizes, call.lstmn.plan, call.lstmn.texts.inputs, inputs);
    const Matrix left = inputs.matrix(tokens, sizes.input_dim);
    const Packed queries = pack_weight(call.weights.fuse_input, sizes.dim, sizes.input_dim, workspace);
    const Packed gates = pack_weight(call.weights.gate_source_input, sizes.dim, sizes.input_dim, workspace);
    multiply_split(sizes.threads, left, queries, call.kept.queries, Into::replace);
    multiply_split(sizes.threads, left, gates, call.kept.gates, Into::replace);
}

/// The source's tapes and keys; this decides on the scale.
void write_slots(const FusionCall& call, Workspace& workspace) {
    const Workspace::Frame frame(workspace);
    const Index dim = call.lstmn.sizes.dim, slots = call.plan.slots(), stride = call.kept.stride;
    for (Index slot = 0; slot < slots; ++slot) {
        const Index from = call.plan.place(slot) * dim;
        copy_padded(call.source.source_hidden + from, dim, call.kept.values.row(slot));
        copy_padded(call.source.source_memory + from, dim, call.kept.values.row(slot) + stride);
    }
    const Packed weight = pack_weight(call.weights.fuse_source, dim, dim, workspace);
    const Rows u = call.kept.keys;
    set_zero(u, slots);
    multiply_split(call.lstmn.sizes.threads, call.kept.values.matrix(slots, dim), weight, u, Into::replace);
    call.kept.set_exponential(largest_magnitude(u, slots, stride) <= Exponential::limit);
    const auto write = call.kept.exponential() ? write_keys<Exponential> : write_keys<Plain>;
    write(u, 0, u, 0, slots);
}

/// One strand's way through its texts: eq. (11)-(13).
template <class Scale>
void read_source(const FusionCall& call, const Packed& recurrent, Strand strand, Workspace& workspace) {
    const Plan& plan = call.lstmn.plan;
    const Index dim = call.lstmn.sizes.dim, stride = call.kept.stride;
    const auto active = [&](Index step) { return strand.count(plan.active(step)); };
    const auto queries = [&](Index step) { return call.kept.queries.of(strand, plan.token(step)); };
    float *doubled_score = workspace.take(stride), *query = workspace.take(stride);
    by_vectors(dim, [&](Index j, auto places) {
        store(doubled_score + j, -2.f * load(call.weights.fuse_score + j, places));
    });
    const Rows initial = take_rows(workspace, active(0), dim);
    for (Index i = 0; i < active(0); ++i)
        copy_padded(call.source.source_blend + plan.text(strand.row(i)) * dim, dim, initial.row(i));
    if (active(0) > 0) multiply(initial.matrix(active(0), dim), recurrent, queries(0), Into::add, workspace);
    for (Index step = 0; active(step) > 0; ++step) {
        for (Index i = 0; i < active(step); ++i) {
            const Index row = strand.row(i), token = plan.token(step) + row;
            finish_query<Scale>(dim, call.weights.fuse_bias, call.kept.queries.row(token), query);
            attend<Scale>(call.kept.slots(call.plan, row), query, doubled_score, call.kept.weights(row, step),
                          call.kept.reads.row(token));
        }
        const Index next = active(step + 1);
        const Rows blends = call.kept.reads.of(strand, plan.token(step));
        if (next > 0) multiply(blends.matrix(next, dim), recurrent, queries(step + 1), Into::add, workspace);
    }
}

/// r of eq. (14), and r ⊙ α̃ into `added`, [tokens, D].
void gate_memories(const FusionCall& call, Rows added, Workspace& workspace) {
    const Workspace::Frame frame(workspace);
    const Index dim = call.lstmn.sizes.dim, tokens = call.lstmn.plan.tokens();
    const Packed weight = pack_weight(call.weights.gate_source_blend, dim, dim, workspace);
    multiply_split(call.lstmn.sizes.threads, call.kept.reads.matrix(tokens, dim), weight, call.kept.gates, Into::add);
    for (Index token = 0; token < tokens; ++token) {
        float *gates = call.kept.gates.row(token), *to = added.row(token);
        const float* memory = call.kept.reads.row(token) + call.kept.stride;
        by_vectors(dim, [&](Index j, auto places) {
            const Vector r = sigmoid(load(gates + j, places) + load(call.weights.gate_source_bias + j, places));
            store(gates + j, r, places);
            store(to + j, r * load(memory + j), places);
        });
    }
}

/// The weights where the batch has the source's slots, and zeros elsewhere; and γ̃ of each text's last token.
void write_outputs(const FusionCall& call, const readhead_fusion_outputs& outputs) {
    const readhead_lstmn_sizes& sizes = call.lstmn.sizes;
    const Plan& plan = call.lstmn.plan;
    const Index slots = call.source.slots, dim = sizes.dim;
    std::fill_n(outputs.source_attention, sizes.texts * sizes.tokens * slots, 0.f);
    for (Index row = 0; row < plan.rows(); ++row) {
        const Index text = plan.text(row), length = plan.length(row);
        for (Index step = 0; step < length; ++step) {
            float* to = outputs.source_attention + token_place(call.lstmn, row, step) * slots;
            for (Index n = 0; n < call.plan.count(row); ++n)
                to[call.plan.place(call.plan.begin(row) + n) - text * slots] = call.kept.weights(row, step)[n];
        }
        const float* blend = length == 0 ? call.source.source_blend + text * dim
                                         : call.kept.reads.row(plan.token(length - 1) + row);
        std::copy_n(blend, dim, outputs.source_blend + text * dim);
    }
}

/// Eq. (11)-(14) for all tokens. added: r ⊙ α̃, is written.
void source_forward(const FusionCall& call, Rows added, const readhead_fusion_outputs& outputs, Workspace& workspace) {
    project_inputs(call, workspace);
    write_slots(call, workspace);
    const Index dim = call.lstmn.sizes.dim;
    const Packed recurrent = pack_weight(call.weights.fuse_blend, dim, dim, workspace);
    const auto read = call.kept.exponential() ? read_source<Exponential> : read_source<Plain>;
    split_into_strands(call.lstmn.plan, call.lstmn.sizes.threads,
                       [&](Strand strand, Workspace& own) { read(call, recurrent, strand, own); });
    gate_memories(call, added, workspace);
    write_outputs(call, outputs);
}

}  // namespace
}  // namespace readhead

int64_t readhead_fusion_kept_size(const readhead_lstmn_sizes* sizes, int64_t source_slots) {
    return readhead::Kept::size(*sizes) + readhead::SourceKept::size(*sizes, source_slots);
}

int32_t readhead_fusion_forward(const readhead_lstmn_sizes* sizes, const readhead_lstmn_weights* weights,
                                const readhead_lstmn_texts* texts, const readhead_fusion_weights* fusion_weights,
                                const readhead_fusion_source* source, const readhead_lstmn_outputs* outputs,
                                const readhead_fusion_outputs* fusion_outputs, float* kept) try {
    using namespace readhead;
    if (!is_whole(sizes, weights, texts, outputs, fusion_weights, source) ||
        !is_there(*sizes, fusion_outputs, source->slots))
        return READHEAD_BAD_CALL;
    Workspace& workspace = Workspace::of_piece(0);
    const Workspace::Frame frame(workspace);
    if (kept == nullptr) kept = workspace.take(readhead_fusion_kept_size(sizes, source->slots));
    const Plan plan = plan_of(*sizes, *texts);
    const SourcePlan source_plan(plan, *source);
    const Kept to_keep(kept, *sizes, plan);
    const SourceKept source_to_keep(kept + Kept::size(*sizes), *sizes, source->slots, plan, source_plan);
    const LstmnCall call{*sizes, *weights, *texts, plan, to_keep};
    const Rows added{workspace.take(plan.tokens() * sizes->dim), sizes->dim};
    source_forward({call, *fusion_weights, *source, source_plan, source_to_keep}, added, *fusion_outputs, workspace);
    float* packed = workspace.take(LstmnPacked::size(sizes->input_dim, sizes->dim));
    pack_weights(*sizes, *weights, packed);
    lstmn_forward(call, LstmnPacked::at(packed, sizes->input_dim, sizes->dim), added.data, *outputs);
    return READHEAD_DONE;
} catch (const std::bad_alloc&) {
    return READHEAD_NO_MEMORY;
}
