// Reports of other tools, in every format that is imported.
#include "formats/reader.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace emend::fuzz {
namespace {

void one_format(InputFormat format, std::string_view input) {
  static_cast<void>(detect_format(input, ""));
  // Every file there is has these bytes, so that places and edits are looked for in something.
  const ReadFile content_of = [](const std::string&) {
    return std::optional<std::string>("int \u00e9 = 0;\nx\n");
  };
  const auto read = read_findings(input, format, "", "/home/me/project", content_of);
  if (!read) {
    promise(!read.error().message.empty(), "a report that cannot be read is told why");
    return;
  }
  for (const Finding& finding : read->findings) {
    promise(finding.line >= 0 && finding.column >= 0, "places are not negative");
    promise(finding_from_json(to_json(finding)) == finding, "a finding survives the store");
  }
  ReportText text{std::string(input)};
  std::size_t streamed = 0;
  const auto notes = stream_findings(
      text, format, "", "/home/me/project", [&](Finding&&) { ++streamed; }, content_of);
  promise(notes.has_value() && streamed == read->findings.size(),
          "one at a time gives as many as all at once");
}

FUZZ_TARGET(sarif) { one_format(InputFormat::sarif, input); }
FUZZ_TARGET(rdjson) { one_format(InputFormat::rdjson, input); }
FUZZ_TARGET(rdjsonl) { one_format(InputFormat::rdjsonl, input); }
FUZZ_TARGET(eslint) { one_format(InputFormat::eslint, input); }
FUZZ_TARGET(checkstyle) { one_format(InputFormat::checkstyle, input); }
FUZZ_TARGET(gitlab) { one_format(InputFormat::gitlab, input); }
FUZZ_TARGET(junit) { one_format(InputFormat::junit, input); }
FUZZ_TARGET(gcc) { one_format(InputFormat::gcc, input); }
FUZZ_TARGET(shellcheck) { one_format(InputFormat::shellcheck, input); }
FUZZ_TARGET(clang_tidy) { one_format(InputFormat::clang_tidy, input); }
FUZZ_TARGET(cppcheck) { one_format(InputFormat::cppcheck, input); }
FUZZ_TARGET(ruff) { one_format(InputFormat::ruff, input); }
FUZZ_TARGET(biome) { one_format(InputFormat::biome, input); }
FUZZ_TARGET(flake8) { one_format(InputFormat::flake8, input); }
FUZZ_TARGET(pyflakes) { one_format(InputFormat::pyflakes, input); }
FUZZ_TARGET(codespell) { one_format(InputFormat::codespell, input); }
FUZZ_TARGET(plain_text) { one_format(InputFormat::text, input); }

} // namespace
} // namespace emend::fuzz
