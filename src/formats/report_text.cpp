#include "formats/report_text.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kPart = 1U << 20;
constexpr std::string_view kMark = "\xEF\xBB\xBF";

} // namespace

ReportText::ReportText(std::string text) : text_(std::move(text)) { skip_mark(); }

ReportText::ReportText(RegularFile file) : file_(std::move(file)) { skip_mark(); }

// A file that cannot be read says so when it is wanted.
void ReportText::skip_mark() {
  if (const auto bytes = head(kMark.size()); bytes && *bytes == kMark) begin_ = kMark.size();
}

Status ReportText::read(std::uint64_t offset, std::size_t size, std::string& into) const {
  offset += begin_;
  if (file_) return file_->read(offset, size, into);
  into.assign(text_, std::min<std::uint64_t>(offset, text_.size()), size);
  return {};
}

Result<std::string> ReportText::head(std::size_t size) const {
  std::string bytes;
  TRY(read(0, size, bytes));
  return bytes;
}

Result<bool> ReportText::is_blank() const {
  std::string part;
  for (std::uint64_t offset = 0;; offset += part.size()) {
    TRY(read(offset, kPart, part));
    if (!trim(part).empty()) return false;
    if (part.size() < kPart) return true;
  }
}

Result<std::string_view> ReportText::whole() {
  if (file_) {
    std::string part;
    do {
      TRY(file_->read(text_.size(), kPart, part));
      text_ += part;
    } while (part.size() == kPart);
    file_.reset();
  }
  return std::string_view(text_).substr(begin_);
}

} // namespace emend
