// JUnit XML: every <failure> and <error> of a test case is a finding.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "base/xml_scanner.hpp"
#include "formats/readers.hpp"

namespace emend {
namespace {

class JunitReader {
public:
  explicit JunitReader(FindingSink& sink) : sink_(sink) {}

  Status open(const XmlToken& token) {
    if (root_ && token.name != "testsuites" && token.name != "testsuite")
      return fail(ErrorCode::usage,
                  "not a JUnit report: the root element is <" + first_line(token.name, 60) + ">");
    root_ = false;
    if (token.name == "testsuite") suites_.push_back(token);
    if (token.name == "testcase") case_ = token;
    if (token.name == "failure" || token.name == "error") begin(token);
    return {};
  }

  void text(const XmlToken& token) {
    if (inside_) body_ += token.text;
  }

  void close(const XmlToken& token) {
    if (token.name == "testsuite" && !suites_.empty()) suites_.pop_back();
    if (token.name == "testcase") case_.reset();
    if (inside_ && (token.name == "failure" || token.name == "error")) finish();
  }

private:
  void begin(const XmlToken& token) {
    failure_ = token;
    body_.clear();
    inside_ = true;
  }

  [[nodiscard]] std::string attribute(std::string_view key) const {
    if (case_ && !case_->attribute(key).empty()) return case_->attribute(key);
    for (auto suite = suites_.rbegin(); suite != suites_.rend(); ++suite) {
      if (!suite->attribute(key).empty()) return suite->attribute(key);
    }
    return {};
  }

  [[nodiscard]] std::string test_name() const {
    if (!case_) return suites_.empty() ? "" : suites_.back().attribute("name");
    const std::string group = case_->attribute("classname"), name = case_->attribute("name");
    return group.empty() ? name : group + "." + name;
  }

  void finish() {
    inside_ = false;
    Finding finding;
    finding.file = attribute("file");
    const std::string line = case_ ? case_->attribute("line") : "";
    const auto number = parse_unsigned(line);
    if (number && *number < 1'000'000'000) finding.line = static_cast<int>(*number);
    if (!line.empty() && finding.line == 0)
      sink_.note("a test case's line is not a number; its finding has none");
    finding.severity = Severity::high;
    finding.category = "test";
    finding.rule = failure_.attribute("type");
    finding.agent = suites_.empty() ? "junit" : suites_.front().attribute("name");
    const std::string message = failure_.attribute("message");
    std::string told = fmt::format("{} {}: {}", failure_.name == "error" ? "error in test" : "failed test",
                                   test_name(), message);
    if (!trim(body_).empty() && trim(body_) != message) told += "\n" + body_;
    set_message(finding, told);
    sink_.add(std::move(finding));
  }

  FindingSink& sink_;
  std::vector<XmlToken> suites_;
  std::optional<XmlToken> case_;
  XmlToken failure_;
  std::string body_;
  bool inside_ = false, root_ = true;
};

} // namespace

Status read_junit(std::string_view text, FindingSink& sink) {
  XmlScanner scanner(text);
  JunitReader reader(sink);
  while (true) {
    TRY_ASSIGN(const XmlToken token, scanner.next());
    switch (token.kind) {
      case XmlToken::Kind::end: return {};
      case XmlToken::Kind::open: TRY(reader.open(token)); break;
      case XmlToken::Kind::text: reader.text(token); break;
      case XmlToken::Kind::close: reader.close(token); break;
    }
  }
}

} // namespace emend
