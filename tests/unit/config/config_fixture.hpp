// A repository-like directory in a temporary place, and shortcuts to load configuration from it.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "config/config.hpp"

namespace emend {

class ConfigFixture : public testing::Test {
protected:
  void SetUp() override {
    auto made = TemporaryDirectory::create(fs::temp_directory_path(), "emend-config-");
    ASSERT_TRUE(made) << made.error().message;
    place_ = std::make_unique<TemporaryDirectory>(*std::move(made));
    base_ = fs::canonical(place_->path());
    root_ = base_ / "repo";
    fs::create_directories(root_ / ".git");
    fs::create_directories(root_ / "src" / "deep");
    sources_.directory = root_.string();
    sources_.repository_root = root_.string();
    sources_.user_file = (base_ / "user" / "config.toml").string();
    sources_.trusted_sha256 = [this](const std::string& path) -> Result<std::optional<std::string>> {
      const auto found = trusted_.find(path);
      return found == trusted_.end() ? std::optional<std::string>() : found->second;
    };
  }

  fs::path write(const fs::path& path, const std::string& text) {
    const auto written = write_file(path, text, 0600);
    EXPECT_TRUE(written);
    return path;
  }

  void trust(const fs::path& path) { trusted_[path.string()] = sha256_hex(*read_file(path)); }

  Config load() {
    auto config = Config::load(sources_);
    EXPECT_TRUE(config) << config.error().message;
    return config ? *std::move(config) : Config();
  }

  std::string load_error(ErrorCode code = ErrorCode::config) {
    const auto config = Config::load(sources_);
    EXPECT_FALSE(config);
    if (config) return "";
    EXPECT_EQ(config.error().code, code);
    return config.error().message;
  }

  static std::string origin(const Config& config, const std::string& key) {
    return to_string(config.settings().at(key).origin);
  }
  static Json value(const Config& config, const std::string& key) { return config.settings().at(key).value; }

  std::unique_ptr<TemporaryDirectory> place_;
  fs::path base_, root_;
  ConfigSources sources_;
  std::map<std::string, std::string> trusted_;
};

} // namespace emend
