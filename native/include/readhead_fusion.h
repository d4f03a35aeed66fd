/* The kernels of `fusion` (readhead/ops/fusion): an `lstmn` that also reads another text's tapes, the source.
 *
 * What readhead_lstmn.h says holds here.
 */

#ifndef READHEAD_FUSION_H
#define READHEAD_FUSION_H

#include "readhead_lstmn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const float* fuse_source;       /* [D, D], W_γ */
    const float* fuse_input;        /* [D, E], W_x */
    const float* fuse_blend;        /* [D, D], W_γ̃ */
    const float* fuse_bias;         /* [D], b */
    const float* fuse_score;        /* [D], u */
    const float* gate_source_input; /* [D, E], W_r */
    const float* gate_source_blend; /* [D, D], W_s */
    const float* gate_source_bias;  /* [D], b_r */
} readhead_fusion_weights;

typedef struct {
    const float* source_hidden;  /* [B, S, D], γ */
    const float* source_memory;  /* [B, S, D], α */
    const uint8_t* source_mask;  /* [B, S], not 0 = a real slot */
    const float* source_blend;   /* [B, D], γ̃ before the first token */
    int64_t slots;               /* S */
} readhead_fusion_source;

typedef struct {
    float* source_attention; /* [B, T, S] */
    float* source_blend;     /* [B, D], γ̃ of the last real token */
} readhead_fusion_outputs;

/* The gradients by them; a null one is zero. */
typedef struct {
    const float* source_attention;
    const float* source_blend;
} readhead_fusion_by_outputs;

/* Where the gradients go, each of its tensor's size. None may be null. */
typedef struct {
    float* fuse_source;
    float* fuse_input;
    float* fuse_blend;
    float* fuse_bias;
    float* fuse_score;
    float* gate_source_input;
    float* gate_source_blend;
    float* gate_source_bias;
    float* source_hidden;
    float* source_memory;
    float* source_blend;
} readhead_fusion_gradients;

/* How many floats the forward pass keeps for the backward: those of `readhead_lstmn_kept_size`, and
 * 16 + B T (2D + 2P + S) + 3P B S. */
READHEAD_EXPORT int64_t readhead_fusion_kept_size(const readhead_lstmn_sizes* sizes, int64_t source_slots);

/* Eq. (11)-(16) of Cheng, Dong and Lapata (2016). kept: for the backward pass; null = there will be none.
 *
 * Returns a readhead_status. */
READHEAD_EXPORT int32_t readhead_fusion_forward(
    const readhead_lstmn_sizes* sizes, const readhead_lstmn_weights* weights, const readhead_lstmn_texts* texts,
    const readhead_fusion_weights* fusion_weights, const readhead_fusion_source* source,
    const readhead_lstmn_outputs* outputs, const readhead_fusion_outputs* fusion_outputs, float* kept);

/* The way back: `kept` as the forward pass left it, what is const as it got it.
 *
 * Returns a readhead_status. */
READHEAD_EXPORT int32_t readhead_fusion_backward(
    const readhead_lstmn_sizes* sizes, const readhead_lstmn_weights* weights, const readhead_lstmn_texts* texts,
    const readhead_fusion_weights* fusion_weights, const readhead_fusion_source* source,
    const readhead_lstmn_by_outputs* by_outputs, const readhead_fusion_by_outputs* fusion_by_outputs,
    const float* kept, const readhead_lstmn_gradients* gradients, const readhead_fusion_gradients* fusion_gradients);

#ifdef __cplusplus
}
#endif

#endif
