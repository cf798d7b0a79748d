#include "tests/support/paths.hpp"

namespace emend {

const std::string& emend_binary() {
  static const std::string path = EMEND_BUILD_DIR "/emend";
  return path;
}

const std::string& emend_exec_binary() {
  static const std::string path = EMEND_BUILD_DIR "/emend-exec";
  return path;
}

const std::string& emend_source_dir() {
  static const std::string path = EMEND_SOURCES;
  return path;
}

const std::string& emend_test_data() {
  static const std::string path = EMEND_SOURCES "/tests/data";
  return path;
}

} // namespace emend
