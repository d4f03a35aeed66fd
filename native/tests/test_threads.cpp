// A batch split over threads: every row once, whatever the numbers, and what a piece throws is heard.

#include "threads.h"

#include <atomic>
#include <stdexcept>

#include "check.h"

using namespace readhead;

namespace {

void test_every_row_once() {
    for (Index count = 0; count < 20; ++count) {
        for (Index threads = 1; threads < 7; ++threads) {
            std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
            std::atomic<Index> pieces{0};
            split(count, threads, [&](Index begin, Index end, Index piece) {
                check(piece >= 0 && piece < pieces_of(count, threads), "piece %td of %td", piece, threads);
                check(begin < end || count == 0, "an empty piece of %td rows on %td threads", count, threads);
                for (Index row = begin; row < end; ++row) ++seen[static_cast<std::size_t>(row)];
                ++pieces;
            });
            check(pieces == pieces_of(count, threads), "%td rows, %td threads: other pieces", count, threads);
            for (const std::atomic<int>& times : seen) check(times == 1, "a row was worked on %d times", times.load());
        }
    }
}

void test_even() {
    split(10, 4, [](Index begin, Index end, Index) { check(end - begin == 2 || end - begin == 3, "uneven pieces"); });
}

void test_throws() {
    std::atomic<int> ended{0};
    for (const Index thrower : {0, 1, 3}) {
        bool heard = false;
        try {
            split(8, 4, [&](Index, Index, Index piece) {
                if (piece == thrower) throw std::runtime_error("piece");
                ++ended;
            });
        } catch (const std::runtime_error&) {
            heard = true;
        }
        check(heard, "what piece %td threw was not heard", thrower);
    }
    check(ended == 9, "the other pieces did not all end");
}

}  // namespace

void run_test() {
    test_every_row_once();
    test_even();
    test_throws();
}
