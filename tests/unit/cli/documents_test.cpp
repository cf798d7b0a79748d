#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "config/config_key.hpp"
#include "tests/support/paths.hpp"

namespace emend {

TEST(Documents, ConfigurationNamesEveryKeyWithItsTrust) {
  const auto page = read_file(std::string(EMEND_SOURCE_DIR) + "/docs/configuration.md");
  ASSERT_TRUE(page) << page.error().message;
  for (const ConfigKey& key : config_keys()) {
    const std::size_t row = page->find("| `" + key.name + "` |");
    ASSERT_NE(row, std::string::npos) << key.name;
    const std::string default_cell = split(page->substr(row, page->find('\n', row) - row), '|').at(2);
    EXPECT_EQ(std::string(trim(default_cell)).ends_with("T"), key.needs_trust) << key.name;
    if (key.type == KeyType::integer && !key.is_pattern()) {
      EXPECT_TRUE(contains(default_cell, dump_json(key.fallback))) << key.name;
    }
  }
}

} // namespace emend
