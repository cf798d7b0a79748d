#include "base/abandoned.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "base/files.hpp"

namespace emend {
namespace {

TEST(Abandoned, OnlyOldOnesWithThePrefixGo) {
  const auto scratch = TemporaryDirectory::create(fs::temp_directory_path(), "abandoned-test-");
  ASSERT_TRUE(scratch);
  const auto make = [&](const char* name, std::chrono::minutes age) {
    const fs::path path = scratch->path() / name;
    EXPECT_TRUE(make_directories(path / "inside"));
    fs::last_write_time(path, fs::file_time_type::clock::now() - age);
    return path;
  };
  const fs::path old = make("probe-1", std::chrono::minutes(61)),
                 young = make("probe-2", std::chrono::minutes(59)),
                 other = make("other-1", std::chrono::minutes(600));
  remove_abandoned(scratch->path(), "probe-");
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
  EXPECT_TRUE(fs::exists(other));
  remove_abandoned(scratch->path() / "not there", "probe-");
}

} // namespace
} // namespace emend
