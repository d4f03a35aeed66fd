#include "workspace.h"

#include "readhead.h"

void readhead_fill_workspace(float value) {
    for (const auto& workspace : readhead::Workspace::kept()) workspace->fill(value);
}

void readhead_release() {
    readhead::Workspace::kept().clear();
}
