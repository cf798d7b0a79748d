#include "base/screen.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <thread>

namespace emend {

namespace {

// What a terminal makes of the bytes: text, line ends, going up, clearing. Rows are as long as they need to
// be.
std::string shown(const std::string& bytes) {
  std::vector<std::string> rows(1);
  std::size_t row = 0, column = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (c == '\n') {
      if (++row == rows.size()) rows.emplace_back();
    } else if (c == '\r') {
      column = 0;
    } else if (c == '\x1b') {
      std::size_t number = 0;
      for (at += 2; std::isdigit(static_cast<unsigned char>(bytes[at])) != 0; ++at)
        number = number * 10 + static_cast<std::size_t>(bytes[at] - '0');
      if (bytes[at] == 'A') row -= std::min(row, number);
      if (bytes[at] == 'K') rows[row].resize(std::min(rows[row].size(), column));
      if (bytes[at] == 'J') {
        rows[row].resize(std::min(rows[row].size(), column));
        rows.resize(row + 1);
      }
    } else {
      if (rows[row].size() < column + 1) rows[row].resize(column + 1, ' ');
      rows[row][column++] = c;
    }
  }
  std::string text;
  for (const std::string& line : rows) text += line + "|";
  return text;
}

} // namespace

class ScreenTest : public testing::Test {
protected:
  void SetUp() override {
    winsize size{};
    size.ws_col = 40;
    size.ws_row = 10;
    ASSERT_EQ(::openpty(&near_, &far_, nullptr, nullptr, &size), 0);
  }
  void TearDown() override {
    ::close(near_);
    ::close(far_);
  }
  std::string screen() {
    pollfd wait{near_, POLLIN, 0};
    char buffer[65536];
    while (::poll(&wait, 1, 0) > 0) {
      const ssize_t got = ::read(near_, buffer, sizeof buffer);
      if (got <= 0) break;
      bytes_.append(buffer, static_cast<std::size_t>(got));
    }
    return shown(bytes_);
  }
  int near_ = -1, far_ = -1;
  std::string bytes_;
};

TEST_F(ScreenTest, OrdinaryTextGoesAboveTheLinesAtTheBottom) {
  {
    BottomLines bottom(far_);
    bottom.show({"one", "two"});
    EXPECT_EQ(screen(), "one|two||");
    write_screen(far_, "hello\nworld\n");
    EXPECT_EQ(screen(), "hello|world|one|two||");
    bottom.show({"uno"});
    EXPECT_EQ(screen(), "hello|world|uno||");
    bottom.show({"u", "v", "w"});
    EXPECT_EQ(screen(), "hello|world|u|v|w||");
  }
  EXPECT_EQ(screen(), "hello|world||") << "nothing is left";
  write_screen(far_, "end\n");
  EXPECT_EQ(screen(), "hello|world|end||");
}

TEST_F(ScreenTest, AQuestionHasTheBottomForItself) {
  BottomLines bottom(far_);
  bottom.show({"bars"});
  {
    const BottomPause pause;
    EXPECT_EQ(screen(), "|");
    write_screen(far_, "sure? ");
    bottom.show({"more bars"});
    EXPECT_EQ(screen(), "sure? |");
    write_screen(far_, "y\n");
  }
  EXPECT_EQ(screen(), "sure? y|more bars||");
}

TEST_F(ScreenTest, NothingIsDrawnIntoAnUnfinishedLine) {
  BottomLines bottom(far_);
  bottom.show({"bars"});
  write_screen(far_, "half ");
  bottom.show({"bars!"});
  EXPECT_EQ(screen(), "half |");
  write_screen(far_, "whole\n");
  EXPECT_EQ(screen(), "half whole|bars!||");
}

TEST_F(ScreenTest, ANarrowerTerminalHasBrokenTheLines) {
  BottomLines bottom(far_);
  bottom.show({std::string(30, 'x'), "y"});
  screen();
  bytes_.clear();
  winsize size{};
  size.ws_col = 12;
  size.ws_row = 10;
  ASSERT_EQ(::ioctl(far_, TIOCSWINSZ, &size), 0);
  bottom.show({"z"});
  screen();
  EXPECT_EQ(bytes_.substr(0, 5), "\r\x1b[4A") << "three rows of x and one of y";
}

TEST_F(ScreenTest, ColoursHaveNoWidth) {
  BottomLines bottom(far_);
  bottom.show({"\x1b[32m" + std::string(39, 'x') + "\x1b[0m"});
  screen();
  bytes_.clear();
  bottom.show({"z"});
  screen();
  EXPECT_EQ(bytes_.substr(0, 5), "\r\x1b[1A");
}

TEST_F(ScreenTest, LinesOfManyThreadsStayWhole) {
  BottomLines bottom(far_);
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([this, &bottom] {
      for (int n = 0; n < 20; ++n) {
        write_screen(far_, "line\n");
        bottom.show({"bar"});
      }
    });
  for (std::thread& writer : writers) writer.join();
  std::string expected;
  for (int i = 0; i < 80; ++i) expected += "line|";
  EXPECT_EQ(screen(), expected + "bar||");
}

} // namespace emend
