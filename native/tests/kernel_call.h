// Calls of `lstmn` and `fusion` at random, through the C interface alone, and how they are held against the plain loop.

#pragma once

#include <cstring>
#include <random>

#include "check.h"
#include "plain_loop.h"

template <class Number>
struct ArrayField {
    const char* name;
    std::vector<Number> Arrays<Number>::*at;
};

template <class Number>
inline const ArrayField<Number> array_fields[] = {
    {"inputs", &Arrays<Number>::inputs},
    {"attend_hidden", &Arrays<Number>::attend_hidden},
    {"attend_input", &Arrays<Number>::attend_input},
    {"attend_blend", &Arrays<Number>::attend_blend},
    {"attend_bias", &Arrays<Number>::attend_bias},
    {"attend_score", &Arrays<Number>::attend_score},
    {"gate_input", &Arrays<Number>::gate_input},
    {"gate_blend", &Arrays<Number>::gate_blend},
    {"gate_bias", &Arrays<Number>::gate_bias},
    {"hidden_tape", &Arrays<Number>::hidden_tape},
    {"memory_tape", &Arrays<Number>::memory_tape},
    {"blend", &Arrays<Number>::blend},
    {"fuse_source", &Arrays<Number>::fuse_source},
    {"fuse_input", &Arrays<Number>::fuse_input},
    {"fuse_blend", &Arrays<Number>::fuse_blend},
    {"fuse_bias", &Arrays<Number>::fuse_bias},
    {"fuse_score", &Arrays<Number>::fuse_score},
    {"gate_source_input", &Arrays<Number>::gate_source_input},
    {"gate_source_blend", &Arrays<Number>::gate_source_blend},
    {"gate_source_bias", &Arrays<Number>::gate_source_bias},
    {"source_hidden", &Arrays<Number>::source_hidden},
    {"source_memory", &Arrays<Number>::source_memory},
    {"source_blend", &Arrays<Number>::source_blend},
};

template <class Number>
struct OutputField {
    const char* name;
    std::vector<Number> Outputs<Number>::*at;
};

template <class Number>
inline const OutputField<Number> output_fields[] = {
    {"hidden", &Outputs<Number>::hidden},
    {"memory", &Outputs<Number>::memory},
    {"attention", &Outputs<Number>::attention},
    {"blend", &Outputs<Number>::blend},
    {"source_attention", &Outputs<Number>::source_attention},
    {"source_blend", &Outputs<Number>::source_blend},
};

inline std::size_t array_count(bool fused) {
    return fused ? 23 : 12;
}

inline std::size_t output_count(bool fused) {
    return fused ? 6 : 4;
}

/// A call and the gradients by its outputs. What of them stands where a mask is 0 is NaN for the kernels.
struct Call {
    const char* name;
    bool fused;
    Shape shape;
    Arrays<double> given;
    Outputs<double> by_outputs;  // an empty one is null for the kernels
};

/// What the kernels are called with: the numbers of a `Call`, as floats.
template <template <class> class Some>
struct AsFloats;

inline std::vector<float> floats_of(const Doubles& numbers) {
    return std::vector<float>(numbers.begin(), numbers.end());
}

/// NaN in all rows, of `columns` numbers, of which the mask says 0.
inline void poison(std::vector<float>& rows, const Bytes& mask) {
    if (mask.empty()) return;
    const std::size_t columns = rows.size() / mask.size();
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (mask[i / columns] == 0) rows[i] = std::nanf("");
}

inline Arrays<float> poisoned(const Call& call) {
    Arrays<float> given;
    for (std::size_t i = 0; i < array_count(call.fused); ++i)
        given.*array_fields<float>[i].at = floats_of(call.given.*array_fields<double>[i].at);
    poison(given.inputs, call.shape.mask);
    for (std::vector<float>* tape : {&given.hidden_tape, &given.memory_tape}) poison(*tape, call.shape.written);
    for (std::vector<float>* tape : {&given.source_hidden, &given.source_memory}) poison(*tape, call.shape.source_mask);
    return given;
}

inline Outputs<float> poisoned_by_outputs(const Call& call) {
    Outputs<float> by;
    for (std::size_t i = 0; i < output_count(call.fused); ++i)
        by.*output_fields<float>[i].at = floats_of(call.by_outputs.*output_fields<double>[i].at);
    for (std::vector<float>* rows : {&by.hidden, &by.memory, &by.attention, &by.source_attention})
        poison(*rows, call.shape.mask);
    return by;
}

/// Arrays as large as these, full of one value.
template <class Fields, class Number, std::size_t count>
Fields filled_like(const Fields& sizes, const Number (&fields)[count], float value) {
    Fields filled;
    for (const Number& field : fields) (filled.*field.at).assign((sizes.*field.at).size(), value);
    return filled;
}
