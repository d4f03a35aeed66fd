// What a call must have, looked at before any memory is touched. Only the caller can know the rest: that behind each
// pointer there is as much as the sizes say.

#pragma once

#include <algorithm>
#include <initializer_list>

#include "readhead_fusion.h"
#include "vector.h"

namespace readhead {

/// An array of a call: `count` numbers that stand at `data`.
struct Array {
    const void* data;
    Index count;
};

/// Whether each array is somewhere; an empty one need not be.
inline bool are_there(std::initializer_list<Array> arrays) {
    return std::all_of(arrays.begin(), arrays.end(), [](Array x) { return x.data != nullptr || x.count == 0; });
}

inline bool is_sound(const readhead_lstmn_sizes* sizes) {
    return sizes != nullptr && sizes->texts >= 0 && sizes->tokens >= 0 && sizes->input_dim > 0 && sizes->dim > 0 &&
           sizes->slots >= 0 && sizes->span >= 0 && sizes->threads > 0;
}

inline bool is_there(const readhead_lstmn_sizes& by, const readhead_lstmn_weights* weights) {
    return weights != nullptr && are_there({{weights->attend_hidden, by.dim},
                                            {weights->attend_input, by.dim},
                                            {weights->attend_blend, by.dim},
                                            {weights->attend_bias, by.dim},
                                            {weights->attend_score, by.dim},
                                            {weights->gate_input, by.dim},
                                            {weights->gate_blend, by.dim},
                                            {weights->gate_bias, by.dim}});
}

inline bool is_there(const readhead_lstmn_sizes& by, const readhead_lstmn_texts* texts) {
    return texts != nullptr && are_there({{texts->inputs, by.texts * by.tokens},
                                          {texts->mask, by.texts * by.tokens},
                                          {texts->hidden_tape, by.texts * by.slots},
                                          {texts->memory_tape, by.texts * by.slots},
                                          {texts->written, by.texts * by.slots},
                                          {texts->blend, by.texts}});
}

inline bool is_there(const readhead_lstmn_sizes& by, const readhead_lstmn_outputs* outputs) {
    return outputs != nullptr && are_there({{outputs->hidden, by.texts * by.tokens},
                                            {outputs->memory, by.texts * by.tokens},
                                            {outputs->attention, by.texts * by.tokens},
                                            {outputs->blend, by.texts}});
}

inline bool is_there(const readhead_lstmn_sizes& by, const readhead_lstmn_gradients* gradients) {
    return gradients != nullptr && are_there({{gradients->inputs, by.texts * by.tokens},
                                              {gradients->attend_hidden, by.dim},
                                              {gradients->attend_input, by.dim},
                                              {gradients->attend_blend, by.dim},
                                              {gradients->attend_bias, by.dim},
                                              {gradients->attend_score, by.dim},
                                              {gradients->gate_input, by.dim},
                                              {gradients->gate_blend, by.dim},
                                              {gradients->gate_bias, by.dim},
                                              {gradients->hidden_tape, by.texts * by.slots},
                                              {gradients->memory_tape, by.texts * by.slots},
                                              {gradients->blend, by.texts}});
}

inline bool is_there(const readhead_lstmn_sizes& by, const readhead_fusion_weights* weights) {
    return weights != nullptr && are_there({{weights->fuse_source, by.dim},
                                            {weights->fuse_input, by.dim},
                                            {weights->fuse_blend, by.dim},
                                            {weights->fuse_bias, by.dim},
                                            {weights->fuse_score, by.dim},
                                            {weights->gate_source_input, by.dim},
                                            {weights->gate_source_blend, by.dim},
                                            {weights->gate_source_bias, by.dim}});
}

inline bool is_there(const readhead_lstmn_sizes& by, const readhead_fusion_source* source) {
    return source != nullptr && source->slots >= 0 &&
           are_there({{source->source_hidden, by.texts * source->slots},
                      {source->source_memory, by.texts * source->slots},
                      {source->source_mask, by.texts * source->slots},
                      {source->source_blend, by.texts}});
}

/// slots: S.
inline bool is_there(const readhead_lstmn_sizes& by, const readhead_fusion_outputs* outputs, Index slots) {
    return outputs != nullptr && are_there({{outputs->source_attention, by.texts * by.tokens * slots},
                                            {outputs->source_blend, by.texts}});
}

/// slots: S.
inline bool is_there(const readhead_lstmn_sizes& by, const readhead_fusion_gradients* gradients, Index slots) {
    return gradients != nullptr && are_there({{gradients->fuse_source, by.dim},
                                              {gradients->fuse_input, by.dim},
                                              {gradients->fuse_blend, by.dim},
                                              {gradients->fuse_bias, by.dim},
                                              {gradients->fuse_score, by.dim},
                                              {gradients->gate_source_input, by.dim},
                                              {gradients->gate_source_blend, by.dim},
                                              {gradients->gate_source_bias, by.dim},
                                              {gradients->source_hidden, by.texts * slots},
                                              {gradients->source_memory, by.texts * slots},
                                              {gradients->source_blend, by.texts}});
}

/// Whether all of the parts of an `lstmn` call can be read: its sizes, and what goes with them.
template <class... Parts>
inline bool is_whole(const readhead_lstmn_sizes* sizes, const Parts*... parts) {
    return is_sound(sizes) && (is_there(*sizes, parts) && ...);
}

}  // namespace readhead
