// Memory that is kept: aligned, apart, stable while it is taken, and one block from the second call on.

#include "workspace.h"

#include <cmath>
#include <thread>

#include "check.h"
#include "readhead.h"

using namespace readhead;

namespace {

bool aligned(const float* memory) {
    return reinterpret_cast<std::uintptr_t>(memory) % 64 == 0;
}

void write(float* memory, Index count, float value) {
    for (Index i = 0; i < count; ++i) memory[i] = value;
}

void check_all(const float* memory, Index count, float value, const char* what) {
    for (Index i = 0; i < count; ++i) check(memory[i] == value, "%s: place %td changed", what, i);
}

void test_apart() {
    Workspace workspace;
    const Workspace::Frame frame(workspace);
    std::vector<float*> taken;
    for (Index count = 0; count < 200; ++count) {
        taken.push_back(workspace.take(count));
        check(aligned(taken.back()), "%td floats are not at a multiple of 64 bytes", count);
        write(taken.back(), count, static_cast<float>(count));
    }
    for (Index count = 0; count < 200; ++count)
        check_all(taken[static_cast<std::size_t>(count)], count, static_cast<float>(count), "what was taken");
}

void test_frames() {
    Workspace workspace;
    for (int call = 0; call < 3; ++call) {
        const Workspace::Frame frame(workspace);
        float* outer = workspace.take(100);
        write(outer, 100, 1.f);
        for (Index count : {10, 5000, 10}) {
            const Workspace::Frame inner(workspace);
            write(workspace.take(count), count, 2.f);
            write(workspace.take(count), count, 3.f);
        }
        float* after = workspace.take(300);
        write(after, 300, 4.f);
        check_all(outer, 100, 1.f, "what the outer frame took");
    }
}

void test_kept() {
    Workspace workspace;
    const auto call = [&] {
        const Workspace::Frame frame(workspace);
        float* first = workspace.take(1000);
        float* second = workspace.take(100000);
        return std::pair(first, second);
    };
    call();
    const auto second = call(), third = call();
    check(second == third, "the third call has other memory than the second");
    check(second.second == second.first + 1008, "the second call's memory is not one block");
}

void test_fill() {
    Workspace& workspace = Workspace::of_piece(2);
    { const Workspace::Frame frame(workspace); workspace.take(50); }
    readhead_fill_workspace(std::nanf(""));
    const Workspace::Frame frame(workspace);
    check(std::isnan(workspace.take(50)[7]), "the workspace is not filled");
}

void test_release() {
    check(&Workspace::of_piece(1) == &Workspace::of_piece(1), "a piece has two workspaces");
    check(&Workspace::of_piece(1) != &Workspace::of_piece(0), "two pieces have one workspace");
    Workspace* other = nullptr;
    std::thread([&] { other = &Workspace::of_piece(0); }).join();
    check(other != &Workspace::of_piece(0), "two threads have one workspace");
    readhead_release();
    check(Workspace::kept().empty(), "something is kept after all was given back");
}

}  // namespace

void run_test() {
    test_apart();
    test_frames();
    test_kept();
    test_fill();
    test_release();
}
