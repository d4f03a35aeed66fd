// A call of `lstmn` or `fusion` through the C interface, with memory of just the size that it asks for.

#pragma once

#include <cmath>

#include "check.h"
#include "plain_loop.h"

/// What a call is about, in double: the kernels get it as floats.
struct Task {
    Shape shape;
    InArrays<double> given;
    OutArrays<double> by_outputs;  // an empty one is null for the kernels, and so zero
};

/// The numbers as floats; NaN in the rows of which `mask` says 0.
inline std::vector<float> poisoned(const Doubles& numbers, const Bytes& mask) {
    std::vector<float> floats(numbers.begin(), numbers.end());
    if (mask.empty()) return floats;
    const std::size_t columns = floats.size() / mask.size();
    for (std::size_t i = 0; i < floats.size(); ++i)
        if (mask[i / columns] == 0) floats[i] = std::nanf("");
    return floats;
}

/// The memory of a call. What is to be written is NaN before.
struct CallMemory {
    Shape shape;
    InArrays<float> given, gradients;
    OutArrays<float> by_outputs, outputs;
    std::vector<float> kept;

    explicit CallMemory(const Task& task) : shape(task.shape) {
        const OutArrays<double> sizes = plain_loop(task.shape, task.given);
        for (std::size_t i = 0; i < given.size(); ++i) {
            given[i] = poisoned(task.given[i], mask_of_input(i));
            gradients[i].assign(given[i].size(), std::nanf(""));
        }
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const bool of_text = i == Out::blend || i == Out::source_blend;
            by_outputs[i] = poisoned(task.by_outputs[i], of_text ? Bytes{} : shape.mask);
            outputs[i].assign(sizes[i].size(), std::nanf(""));
        }
        const Count size = shape.fused ? readhead_fusion_kept_size(&shape.sizes, shape.source_slots)
                                       : readhead_lstmn_kept_size(&shape.sizes);
        kept.assign(many(size), std::nanf(""));
    }

private:
    Bytes mask_of_input(std::size_t array) const {
        switch (array) {
            case In::inputs: return shape.mask;
            case In::hidden_tape: case In::memory_tape: return shape.written;
            case In::source_hidden: case In::source_memory: return shape.source_mask;
            default: return {};
        }
    }
};

/// The call itself: structures that point at the memory.
struct KernelCall {
    readhead_lstmn_sizes sizes;
    readhead_lstmn_weights weights;
    readhead_lstmn_texts texts;
    readhead_lstmn_outputs outputs;
    readhead_lstmn_by_outputs by_outputs;
    readhead_lstmn_gradients gradients;
    readhead_fusion_weights fusion_weights;
    readhead_fusion_source source;
    readhead_fusion_outputs fusion_outputs;
    readhead_fusion_by_outputs by_fusion_outputs;
    readhead_fusion_gradients fusion_gradients;
    const float* packed = nullptr;
    float* kept;
    bool fused;

    explicit KernelCall(CallMemory& memory)
        : sizes(memory.shape.sizes), kept(memory.kept.data()), fused(memory.shape.fused) {
        const auto in = [&](std::size_t i) { return memory.given[i].data(); };
        const auto by = [&](std::size_t i) {
            return memory.by_outputs[i].empty() ? nullptr : memory.by_outputs[i].data();
        };
        const auto out = [&](std::size_t i) { return memory.outputs[i].data(); };
        const auto to = [&](std::size_t i) { return memory.gradients[i].data(); };
        const Shape& shape = memory.shape;
        weights = {in(In::attend_hidden), in(In::attend_input), in(In::attend_blend), in(In::attend_bias),
                   in(In::attend_score), in(In::gate_input), in(In::gate_blend), in(In::gate_bias)};
        texts = {in(In::inputs), shape.mask.data(), in(In::hidden_tape), in(In::memory_tape), shape.written.data(),
                 in(In::blend)};
        outputs = {out(Out::hidden), out(Out::memory), out(Out::attention), out(Out::blend)};
        by_outputs = {by(Out::hidden), by(Out::memory), by(Out::attention), by(Out::blend)};
        gradients = {to(In::inputs), to(In::attend_hidden), to(In::attend_input), to(In::attend_blend),
                     to(In::attend_bias), to(In::attend_score), to(In::gate_input), to(In::gate_blend),
                     to(In::gate_bias), to(In::hidden_tape), to(In::memory_tape), to(In::blend)};
        fusion_weights = {in(In::fuse_source), in(In::fuse_input), in(In::fuse_blend), in(In::fuse_bias),
                          in(In::fuse_score), in(In::gate_source_input), in(In::gate_source_blend),
                          in(In::gate_source_bias)};
        source = {in(In::source_hidden), in(In::source_memory), shape.source_mask.data(), in(In::source_blend),
                  shape.source_slots};
        fusion_outputs = {out(Out::source_attention), out(Out::source_blend)};
        by_fusion_outputs = {by(Out::source_attention), by(Out::source_blend)};
        fusion_gradients = {to(In::fuse_source), to(In::fuse_input), to(In::fuse_blend), to(In::fuse_bias),
                            to(In::fuse_score), to(In::gate_source_input), to(In::gate_source_blend),
                            to(In::gate_source_bias), to(In::source_hidden), to(In::source_memory),
                            to(In::source_blend)};
    }

    std::int32_t forward() const {
        readhead_fill_workspace(std::nanf(""));
        return fused ? readhead_fusion_forward(&sizes, &weights, &texts, &fusion_weights, &source, &outputs,
                                               &fusion_outputs, kept)
                     : readhead_lstmn_forward(&sizes, &weights, packed, &texts, &outputs, kept);
    }

    std::int32_t backward() const {
        readhead_fill_workspace(std::nanf(""));
        return fused ? readhead_fusion_backward(&sizes, &weights, &texts, &fusion_weights, &source, &by_outputs,
                                                &by_fusion_outputs, kept, &gradients, &fusion_gradients)
                     : readhead_lstmn_backward(&sizes, &weights, &texts, &by_outputs, kept, &gradients);
    }
};
