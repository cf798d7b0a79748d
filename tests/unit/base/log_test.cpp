#include "base/log.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

// Everything written to stderr while `action` runs.
template <typename Action>
std::string captured(Action action) {
  auto directory = TemporaryDirectory::create(fs::temp_directory_path(), "emend-log-");
  const fs::path file = directory->path() / "stderr";
  const int saved = ::dup(STDERR_FILENO);
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  ::dup2(fd, STDERR_FILENO);
  action();
  ::dup2(saved, STDERR_FILENO);
  ::close(fd);
  ::close(saved);
  return read_file(file).value();
}

class Log : public ::testing::Test {
protected:
  ~Log() override {
    set_log_level(LogLevel::warn);
    set_log_format(LogFormat::text);
  }
};

TEST_F(Log, SaysOnlyWhatIsAskedFor) {
  const std::string text = captured([] {
    log(LogLevel::info, "hidden");
    log(LogLevel::warn, "shown");
    set_log_level(LogLevel::debug);
    log(LogLevel::debug, "detail");
    set_log_level(LogLevel::error);
    log(LogLevel::warn, "hidden again");
  });
  EXPECT_EQ(text, "emend: warning: shown\nemend: debug: detail\n");
}

TEST_F(Log, IsOneLineWithoutControls) {
  const std::string text = captured([] {
    log(LogLevel::error, std::string_view("a\nb\x1b[2J\x07\0\xC2\x9B"
                                          "c\td",
                                          14));
  });
  EXPECT_EQ(text, "emend: error: a\\nb\\x1b[2J\\x07\\x00\\u009bc d\n");
}

TEST_F(Log, HasMembersInBothFormats) {
  const Json members = {{"status", 200}, {"path", "/a\nb"}, {"who", nullptr}};
  const std::string text = captured([&] { log(LogLevel::error, "request", members); });
  EXPECT_EQ(text, "emend: error: request status=200 path=/a\\nb who=null\n");
  set_log_format(LogFormat::json);
  const std::string line = captured([&] { log(LogLevel::error, "request", members); });
  ASSERT_TRUE(line.ends_with("}\n"));
  const Json read = parse_json(line).value();
  EXPECT_EQ(read.at("level"), Json("error"));
  EXPECT_EQ(read.at("message"), Json("request"));
  EXPECT_EQ(read.at("status"), Json(200));
  EXPECT_EQ(read.at("path"), Json("/a\\nb")) << "escaped for whoever prints it later";
  EXPECT_EQ(read.at("who"), Json(nullptr));
  EXPECT_EQ(read.at("time").get<std::string>().size(), std::string("2026-01-31T09:30:00.250Z").size());
  const std::string plain = captured([] { log(LogLevel::error, "half a character \xC3"); });
  EXPECT_TRUE(parse_json(plain)) << plain;
}

TEST_F(Log, LeavesOutWhatItWasToldToHide) {
  hide_in_log("correct horse battery");
  hide_in_log("short"); // would tear holes into words
  const std::string text = captured([] {
    log(LogLevel::error, "shorter: correct horse battery", {{"path", "/x/correct horse battery"}});
  });
  EXPECT_EQ(text, "emend: error: shorter: [redacted:own] path=/x/[redacted:own]\n");
}

TEST_F(Log, HidesSecrets) {
  const std::string secret = join({"ghp", std::string(36, 'a')}, "_");
  const std::string text = captured([&] { log(LogLevel::error, "push with " + secret + " failed"); });
  EXPECT_EQ(text, "emend: error: push with [redacted:github-token] failed\n");
}

TEST_F(Log, CutsVeryLongMessages) {
  const std::string text = captured([] { log(LogLevel::error, std::string(1'000'000, 'x')); });
  EXPECT_LT(text.size(), 20'000u);
  EXPECT_TRUE(contains(text, "bytes left out"));
  EXPECT_EQ(lines_of(text).size(), 1u);
}

TEST_F(Log, LinesOfManyThreadsStayWhole) {
  const std::string text = captured([] {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([t] {
        for (int i = 0; i < 50; ++i) log(LogLevel::error, std::string(200, static_cast<char>('a' + t)));
      });
    }
  });
  const auto lines = lines_of(text);
  ASSERT_EQ(lines.size(), 200u);
  for (const std::string_view line : lines) {
    const std::string_view message = line.substr(std::string_view("emend: error: ").size());
    EXPECT_EQ(message, std::string(200, message[0]));
  }
}

} // namespace
} // namespace emend
