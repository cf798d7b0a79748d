// Where the programs under test and the sources are. In one object file, so that every other one is the same
// in any build directory.
#pragma once

#include <string>

namespace emend {

[[nodiscard]] const std::string& emend_binary();
[[nodiscard]] const std::string& emend_exec_binary();
[[nodiscard]] const std::string& emend_source_dir();
[[nodiscard]] const std::string& emend_test_data();

} // namespace emend

#define EMEND_BINARY ::emend::emend_binary()
#define EMEND_EXEC_BINARY ::emend::emend_exec_binary()
#define EMEND_SOURCE_DIR ::emend::emend_source_dir()
#define EMEND_TEST_DATA ::emend::emend_test_data()
