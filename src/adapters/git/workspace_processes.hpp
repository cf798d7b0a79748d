// Ends what still runs on a workspace whose engine is gone.
#pragma once

#include <string>

namespace emend {

// Where no namespace held an agent's tree, a child that left it may outlive engine and guardian. It is known
// by the workspace's private directories in the environment it was started with, never by its name. A person
// who only stands in the directory is left alone.
void end_processes_of(const std::string& workspace);

} // namespace emend
