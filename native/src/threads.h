// Threads of one call, which split what is independent: the rows of a batch.
//
// They begin and end with the call and never wait for each other in between: on a shared machine one barrier costs
// a time slice of the scheduler, and a recurrence would need several in each step.

#pragma once

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "vector.h"

namespace readhead {

/// How many pieces `split` makes of `count` rows for so many threads: never an empty one.
inline Index pieces_of(Index count, Index threads) {
    const Index pieces = threads < count ? threads : count;
    return pieces < 1 ? 1 : pieces;
}

/// Where piece `piece` of `pieces` begins, in `count` rows; it ends where the next begins.
inline Index beginning(Index piece, Index pieces, Index count) {
    return piece * (count / pieces) + (piece < count % pieces ? piece : count % pieces);
}

/// Calls work(begin, end, piece) for pieces that together are [0, count), each on a thread of its own, the first on
/// the caller's, and returns when all have ended. A thread that the system does not give is done without.
/// What a piece throws is thrown here, when all have ended.
template <class Work>
void split(Index count, Index threads, const Work& work) {
    const Index pieces = pieces_of(count, threads);
    std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(pieces));
    const auto run = [&](Index piece) noexcept {
        try {
            work(beginning(piece, pieces, count), beginning(piece + 1, pieces, count), piece);
        } catch (...) {
            thrown[static_cast<std::size_t>(piece)] = std::current_exception();
        }
    };
    std::vector<std::thread> started;
    started.reserve(static_cast<std::size_t>(pieces));
    Index piece = pieces - 1;
    try {
        for (; piece > 0; --piece) started.emplace_back(run, piece);
    } catch (const std::system_error&) {
    }
    for (; piece >= 0; --piece) run(piece);
    for (std::thread& thread : started) thread.join();
    for (const std::exception_ptr& exception : thrown)
        if (exception) std::rethrow_exception(exception);
}

}  // namespace readhead
