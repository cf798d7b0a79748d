#include "log.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>

static int failures = 0;

static void expect(bool fine, const char* what) {
  std::printf("%s - %s\n", fine ? "ok" : "not ok", what);
  if (!fine) ++failures;
}

int main() {
  std::vector<Reading> readings;
  expect(read_line("mill;60;1.5", readings), "a line is read");
  expect(read_line("mill;120;0.5", readings), "another one");
  expect(!read_line("mill", readings) && !read_line("mill;1", readings), "half a line is refused");
  expect(readings.size() == 2 && readings[0].gauge == "mill" && readings[1].minute == 120,
         "its fields are kept");
  expect(summarize("total", readings) == 2.0, "the total");
  expect(summarize("wet", readings) == 1.0 && summarize("wet", {}) == 0.0, "the share of wet readings");
  expect(summarize("other", readings) == -1.0, "an unknown summary");

  std::ifstream file("docs/format.md");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string header = std::string(kFields[0]) + ";" + kFields[1] + ";" + kFields[2];
  expect(text.find("    " + header + "\n") != std::string::npos, "the format is documented as it is written");
  return failures == 0 ? 0 : 1;
}
