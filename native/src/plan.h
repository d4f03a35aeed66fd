// Which tokens and slots there are, and in what order the recurrences go through them.
//
// Only real tokens and written slots take part: padding costs nothing, wherever it stands, and nothing of it is read.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vector.h"

namespace readhead {

/// Slots of a row's tape, from `begin` to before `end`.
struct Window {
    Index begin, end;
};

/// A batch's texts as rows, longest first, and their tapes one after the other.
///
/// Step t reads the t-th real token of every row that has one: these are the first `active(t)` rows. A row's tape has
/// its written initial slots first, and then a slot for each of its tokens.
class Plan {
public:
    /// mask: [texts, tokens], written: [texts, slots], not 0 = real, and written. span: 0 = no bound.
    Plan(const std::uint8_t* mask, const std::uint8_t* written, Index texts, Index tokens, Index slots, Index span)
        : span_(span), row_of_text_(texts) {
        std::vector<std::vector<Index>> tokens_of(texts);
        for (Index text = 0; text < texts; ++text) tokens_of[text] = places(mask + text * tokens, tokens);
        for (Index text = 0; text < texts; ++text) text_of_row_.push_back(text);
        std::stable_sort(text_of_row_.begin(), text_of_row_.end(),
                         [&](Index a, Index b) { return tokens_of[a].size() > tokens_of[b].size(); });
        for (const Index text : text_of_row_) {
            row_of_text_[text] = static_cast<Index>(tape_begin_.size());
            const std::vector<Index> initial = places(written + text * slots, slots);
            tape_begin_.push_back(static_cast<Index>(place_.size()));
            initial_.push_back(static_cast<Index>(initial.size()));
            length_.push_back(static_cast<Index>(tokens_of[text].size()));
            place_.insert(place_.end(), initial.begin(), initial.end());
            for (const Index token : tokens_of[text]) place_.push_back(slots + token);
        }
        tape_begin_.push_back(static_cast<Index>(place_.size()));
        count_steps();
    }

    Index rows() const { return static_cast<Index>(text_of_row_.size()); }

    /// How many tokens the longest text has.
    Index steps() const { return static_cast<Index>(step_begin_.size()) - 1; }

    /// Of all texts together.
    Index tokens() const { return step_begin_.back(); }
    Index slots() const { return static_cast<Index>(place_.size()); }

    Index active(Index step) const { return step < steps() ? step_begin_[step + 1] - step_begin_[step] : 0; }

    /// The number of the first row's token in step `step`, where tokens are counted step by step.
    Index token(Index step) const { return step_begin_[step]; }

    Index text(Index row) const { return text_of_row_[row]; }
    Index row(Index text) const { return row_of_text_[text]; }
    Index length(Index row) const { return length_[row]; }
    Index initial(Index row) const { return initial_[row]; }

    /// The number of a row's first slot, where slots are counted row by row; that of row rows() is slots().
    Index tape(Index row) const { return tape_begin_[row]; }

    /// The number of the slot that a row's token of step `step` is written to.
    Index slot(Index row, Index step) const { return tape_begin_[row] + initial_[row] + step; }

    /// Where the batch has that slot: an initial one's index, and of a token `slots` more than its index.
    Index place(Index slot) const { return place_[slot]; }

    /// What a row's token of step `step` reads, counted from the row's first slot.
    Window window(Index row, Index step) const {
        const Index end = initial_[row] + step;
        return {span_ == 0 || end < span_ ? 0 : end - span_, end};
    }

private:
    static std::vector<Index> places(const std::uint8_t* is_there, Index count) {
        std::vector<Index> found;
        for (Index i = 0; i < count; ++i)
            if (is_there[i] != 0) found.push_back(i);
        return found;
    }

    void count_steps() {
        const Index steps = length_.empty() ? 0 : length_.front();
        step_begin_.push_back(0);
        Index active = rows();
        for (Index step = 0; step < steps; ++step) {
            while (length_[active - 1] <= step) --active;
            step_begin_.push_back(step_begin_.back() + active);
        }
    }

    Index span_;
    std::vector<Index> text_of_row_, row_of_text_, length_, initial_, tape_begin_, place_, step_begin_;
};

/// The rows that one piece of the work takes: every `pieces`-th, so that each piece has long ones and short ones, and
/// those of a step are the piece's first.
struct Strand {
    Index piece, pieces;

    /// How many of the first `rows` rows are the piece's.
    Index count(Index rows) const { return rows <= piece ? 0 : (rows - piece + pieces - 1) / pieces; }

    Index row(Index i) const { return piece + i * pieces; }
};

}  // namespace readhead
