#include "cli/daily/issue_stream.hpp"

#include "base/strings.hpp"
#include "cli/report_text.hpp"

namespace emend {

namespace {

constexpr std::size_t kPage = 1'000;
constexpr std::size_t kBuffer = 1U << 16;
constexpr const char* kOpening = "{\n  \"schema\": \"emend.issues/v1\",\n  \"data\": [";

} // namespace

void IssueStream::add(Issue issue) {
  if (json_) {
    text_ += count_ == 0 ? kOpening : ",";
    text_ += "\n    " + replace_all(dump_json(to_json(issue), 2), "\n", "\n    ");
  } else {
    page_.push_back(std::move(issue));
  }
  ++count_;
  if (page_.size() >= kPage || text_.size() >= kBuffer) flush();
}

void IssueStream::flush() {
  if (!page_.empty()) text_ += issue_rows(page_, context_.palette(), header_);
  header_ = header_ && page_.empty();
  page_.clear();
  context_.print(text_);
  text_.clear();
}

void IssueStream::finish() {
  flush();
  if (json_) {
    context_.print(std::string(count_ == 0 ? kOpening : "\n  ") + "],\n  \"next_cursor\": null\n}\n");
  } else {
    context_.print(count_ == 0 ? "no issues\n" : "\n" + plural(count_, "issue") + "\n");
  }
}

} // namespace emend
