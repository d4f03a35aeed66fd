// Memory that a thread keeps from call to call.
//
// A recurrence needs some megabytes of scratch in every call. Given back to the system and asked for again, they
// cost more than the arithmetic (page faults), so each calling thread keeps what it once needed.

#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "vector.h"

namespace readhead {

/// Scratch memory, taken piece by piece and given back all at once, when the frame it was taken in ends.
class Workspace {
public:
    /// What is taken while a frame lives is given back when it ends; frames end in the reverse of their order.
    class Frame {
    public:
        explicit Frame(Workspace& workspace) : workspace_(workspace), mark_(workspace.used_) { ++workspace.frames_; }
        ~Frame() { workspace_.give_back(mark_); }
        Frame(const Frame&) = delete;
        Frame& operator=(const Frame&) = delete;

    private:
        Workspace& workspace_;
        Index mark_;
    };

    /// `count` floats, not initialised, at a multiple of 64 bytes; the next ones begin at another such multiple.
    /// They are the workspace's own, until the frame ends. Throws std::bad_alloc.
    float* take(Index count) {
        const Index rounded = (count + line - 1) / line * line;
        if (blocks_.empty() || room_ < rounded) grow(rounded);
        float* taken = blocks_.back().memory.get() + (blocks_.back().size - room_);
        room_ -= rounded;
        used_ += rounded;
        return taken;
    }

    /// Writes `value` over all that is kept, between calls: what a kernel reads before it wrote it then shows.
    void fill(float value) {
        for (Block& block : blocks_)
            for (Index i = 0; i < block.size; ++i) block.memory.get()[i] = value;
    }

    /// The workspace of a piece of the calling thread's work (see threads.h): the pieces' threads end with the
    /// call, so it is the caller who keeps their memory. Call it from the calling thread only. Throws
    /// std::bad_alloc.
    static Workspace& of_piece(Index piece) {
        std::vector<std::unique_ptr<Workspace>>& all = kept();
        while (static_cast<Index>(all.size()) <= piece) all.push_back(std::make_unique<Workspace>());
        return *all[static_cast<std::size_t>(piece)];
    }

    /// Every workspace that the calling thread keeps.
    static std::vector<std::unique_ptr<Workspace>>& kept() {
        thread_local std::vector<std::unique_ptr<Workspace>> all;
        return all;
    }

private:
    static constexpr Index line = 16;  // floats in 64 bytes

    struct Free {
        void operator()(float* memory) const { ::operator delete(memory, std::align_val_t{64}); }
    };

    struct Block {
        std::unique_ptr<float, Free> memory;
        Index size;
    };

    static Block allocate(Index count) {
        const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(float);
        return {std::unique_ptr<float, Free>(static_cast<float*>(::operator new(bytes, std::align_val_t{64}))), count};
    }

    /// A block of its own, since what was taken before must stay where it is.
    void grow(Index count) {
        const Index size = count > total_ ? count : total_;  // doubles: few blocks
        blocks_.push_back(allocate(size));
        total_ += size;
        room_ = size;
    }

    void give_back(Index mark) {
        if (--frames_ > 0) {
            // An inner frame's memory is used again only where it lies in the last block.
            const Index block_used = blocks_.empty() ? 0 : blocks_.back().size - room_;
            const Index freed = used_ - mark;
            if (freed <= block_used) {
                room_ += freed;
                used_ = mark;
            }
            return;
        }
        used_ = 0;
        if (blocks_.size() > 1) join();
        if (!blocks_.empty()) room_ = blocks_.back().size;
    }

    /// One block in place of several, for the next call; with none, if there is no memory for it.
    void join() noexcept {
        const Index size = total_;
        blocks_.clear();
        total_ = 0;
        try {
            grow(size);
        } catch (const std::bad_alloc&) {
        }
    }

    std::vector<Block> blocks_;
    Index total_ = 0;  // floats in all blocks
    Index room_ = 0;   // floats not taken in the last block
    Index used_ = 0;   // floats taken
    int frames_ = 0;
};

}  // namespace readhead
