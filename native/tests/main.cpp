#include "check.h"
#include "readhead.h"

int main() {
    if (const char* obstacle = readhead_obstacle()) {
        std::printf("%s: %s\n", readhead_isa(), obstacle);
        return 77;
    }
    run_test();
    return 0;
}
