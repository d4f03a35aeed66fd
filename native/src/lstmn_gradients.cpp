// What the loop of lstmn_backward.cpp leaves to do: the weights' gradients are one product each over all tokens, or
// slots.

#include "lstmn_backward.h"
#include "weight_gradients.h"

namespace readhead {
namespace {

/// What the initial slots' h gets as keys is added.
void initial_keys_back(const LstmnCall& call, const PackedBack& packed, Rows by_keys, float* to, Workspace& workspace) {
    const Workspace::Frame frame(workspace);
    const Index dim = call.sizes.dim, count = call.plan.slots() - call.plan.tokens();
    const Rows by_u = take_rows(workspace, count, dim), by_hidden = take_rows(workspace, count, dim);
    const auto for_slots = [&](const auto& each) {
        for (Index row = 0, i = 0; row < call.plan.rows(); ++row)
            for (Index n = 0; n < call.plan.initial(row); ++n, ++i) each(row, call.plan.tape(row) + n, i);
    };
    for_slots([&](Index, Index slot, Index i) { std::copy_n(by_keys.row(slot), dim, by_u.row(i)); });
    multiply(by_u.matrix(count, dim), packed.attend_hidden, by_hidden, Into::replace, workspace);
    for_slots([&](Index row, Index slot, Index i) {
        float* hidden = to + (call.plan.text(row) * call.sizes.slots + call.plan.place(slot)) * dim;
        for (Index j = 0; j < dim; ++j) hidden[j] += by_hidden.row(i)[j];
    });
}

/// Those by vectors: biases, the scores' weights, and h̃ before the first token.
void vector_gradients(const LstmnCall& call, const Gradients& gradients, const float* by_last_blends,
                      const readhead_lstmn_gradients& to) {
    const Index dim = call.sizes.dim, tokens = call.plan.tokens();
    sum_rows(gradients.steps, tokens, 4 * dim, to.gate_bias);
    sum_rows(gradients.steps.from(4 * dim), tokens, dim, to.attend_bias);
    sum_rows(gradients.scores, call.plan.rows(), dim, to.attend_score);
    for (Index j = 0; j < dim; ++j) to.attend_score[j] *= -2.f;
    for (Index row = 0; row < call.plan.rows(); ++row) {
        const Index text = call.plan.text(row);
        if (call.plan.length(row) > 0) {
            std::copy_n(gradients.blends.row(row), dim, to.blend + text * dim);
        } else if (by_last_blends != nullptr) {
            std::copy_n(by_last_blends + text * dim, dim, to.blend + text * dim);
        } else {
            std::fill_n(to.blend + text * dim, dim, 0.f);
        }
    }
}

/// Those of the weights that a state went into.
void recurrent_gradients(const LstmnCall& call, const Gradients& gradients, const readhead_lstmn_gradients& to,
                         Workspace& workspace) {
    const Index dim = call.sizes.dim, threads = call.sizes.threads, first = call.plan.active(0);
    {
        const WeightGradients of_blends(threads, call.kept.reads, call.plan.tokens(), dim, workspace);
        of_blends.write(gradients.steps, 4 * dim, to.gate_blend, Into::replace);
        of_blends.write(gradients.next_queries, dim, to.attend_blend, Into::replace);
    }
    {
        const Workspace::Frame frame(workspace);
        const Rows blends = take_rows(workspace, first, dim);
        for (Index row = 0; row < first; ++row)
            std::copy_n(call.texts.blend + call.plan.text(row) * dim, dim, blends.row(row));
        const WeightGradients of_initial_blends(threads, blends, first, dim, workspace);
        of_initial_blends.write(gradients.steps.from(4 * dim), dim, to.attend_blend, Into::add);
    }
    const WeightGradients of_hidden(threads, call.kept.values, call.plan.slots(), dim, workspace);
    of_hidden.write(gradients.keys, dim, to.attend_hidden, Into::replace);
}

/// Those of the weights that the inputs went into.
void input_weight_gradients(const LstmnCall& call, const Gradients& gradients, const readhead_lstmn_gradients& to,
                            Workspace& workspace) {
    const Workspace::Frame frame(workspace);
    const Index dim = call.sizes.dim, input_dim = call.sizes.input_dim, tokens = call.plan.tokens();
    const Rows inputs = take_rows(workspace, tokens, input_dim);
    gather_inputs(call.sizes, call.plan, call.texts.inputs, inputs);
    const WeightGradients of_inputs(call.sizes.threads, inputs, tokens, input_dim, workspace);
    of_inputs.write(gradients.steps, 4 * dim, to.gate_input, Into::replace);
    of_inputs.write(gradients.steps.from(4 * dim), dim, to.attend_input, Into::replace);
}

/// The gradient by the inputs: zero where they are padding.
void inputs_back(const LstmnCall& call, Rows by_steps, float* to, Workspace& workspace) {
    const Workspace::Frame frame(workspace);
    const readhead_lstmn_sizes& sizes = call.sizes;
    const Index dim = sizes.dim, input_dim = sizes.input_dim, tokens = call.plan.tokens();
    const Rows by_inputs = take_rows(workspace, tokens, input_dim);
    const Packed gates = pack_back(call.weights.gate_input, 4 * dim, input_dim, workspace);
    const Packed queries = pack_back(call.weights.attend_input, dim, input_dim, workspace);
    multiply_split(sizes.threads, by_steps.matrix(tokens, 4 * dim), gates, by_inputs, Into::replace);
    multiply_split(sizes.threads, by_steps.from(4 * dim).matrix(tokens, dim), queries, by_inputs, Into::add);
    if (tokens < sizes.texts * sizes.tokens) std::fill_n(to, sizes.texts * sizes.tokens * input_dim, 0.f);
    for (Index row = 0; row < call.plan.rows(); ++row)
        for (Index step = 0; step < call.plan.length(row); ++step) {
            const float* from = by_inputs.row(call.plan.token(step) + row);
            std::copy_n(from, input_dim, to + token_place(call, row, step) * input_dim);
        }
}

}  // namespace

void gradients_after_loop(const LstmnCall& call, const PackedBack& packed, const Gradients& gradients,
                          const float* by_last_blends, const readhead_lstmn_gradients& to, Workspace& workspace) {
    initial_keys_back(call, packed, gradients.keys, to.hidden_tape, workspace);
    vector_gradients(call, gradients, by_last_blends, to);
    recurrent_gradients(call, gradients, to, workspace);
    input_weight_gradients(call, gradients, to, workspace);
    inputs_back(call, gradients.steps, to.inputs, workspace);
}

}  // namespace readhead
