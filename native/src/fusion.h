// What the forward and the backward pass of `fusion` share.

#pragma once

#include "lstmn.h"
#include "readhead_fusion.h"

namespace readhead {

/// The real slots of each row's source, counted row by row.
class SourcePlan {
public:
    SourcePlan(const Plan& plan, const readhead_fusion_source& source) {
        for (Index row = 0; row < plan.rows(); ++row) {
            begin_.push_back(static_cast<Index>(place_.size()));
            for (Index slot = 0; slot < source.slots; ++slot) {
                const Index place = plan.text(row) * source.slots + slot;
                if (source.source_mask[place] != 0) place_.push_back(place);
            }
        }
        begin_.push_back(static_cast<Index>(place_.size()));
    }

    /// A row's first slot; that of row rows() is slots().
    Index begin(Index row) const { return begin_[row]; }
    Index count(Index row) const { return begin_[row + 1] - begin_[row]; }
    Index slots() const { return static_cast<Index>(place_.size()); }

    /// Which of the [B, S] slots of the batch it is.
    Index place(Index slot) const { return place_[slot]; }

private:
    std::vector<Index> begin_, place_;
};

/// What the forward pass leaves for the backward; it does not own its memory. Rows as in Kept.
class SourceKept {
public:
    static Index size(const readhead_lstmn_sizes& sizes, Index slots) {
        const Index stride = (sizes.dim + 15) / 16 * 16;
        return Kept::header + sizes.texts * sizes.tokens * (2 * sizes.dim + 2 * stride + slots) +
               sizes.texts * slots * 3 * stride;
    }

    SourceKept(float* memory, const readhead_lstmn_sizes& sizes, Index slots, const Plan& plan,
               const SourcePlan& source)
        : stride(padded(sizes.dim)),
          queries{memory + Kept::header, sizes.dim},
          gates{queries.row(plan.tokens()), sizes.dim},
          reads{gates.row(plan.tokens()), 2 * stride},
          values{reads.row(plan.tokens()), 2 * stride},
          keys{values.row(source.slots()), stride},
          scale_(memory),
          weights_{keys.row(source.slots()), slots},
          tokens_(sizes.tokens) {}

    bool exponential() const { return *scale_ != 0.f; }
    void set_exponential(bool exponential) const { *scale_ = exponential ? 1.f : 0.f; }

    /// What a row's token of step `step` gave to each real slot of its source.
    float* weights(Index row, Index step) const { return weights_.row(row * tokens_ + step); }
    Index weights_stride() const { return weights_.stride; }

    Slots slots(const SourcePlan& source, Index row) const {
        return {keys.row(source.begin(row)), values.row(source.begin(row)), source.count(row), stride};
    }

    const Index stride;
    const Rows queries;  // [tokens, D], in the scale
    const Rows gates;    // [tokens, D], r
    const Rows reads;    // [tokens, 2, stride]: γ̃ and α̃
    const Rows values;   // [slots, 2, stride]: γ and α
    const Rows keys;     // [slots, stride], in the scale

private:
    float* scale_;
    Rows weights_;
    Index tokens_;
};

/// A call of `fusion`, forward or backward, as far as it is about the source.
struct FusionCall {
    const LstmnCall& lstmn;
    const readhead_fusion_weights& weights;
    const readhead_fusion_source& source;
    const SourcePlan& plan;
    const SourceKept& kept;
};

}  // namespace readhead
