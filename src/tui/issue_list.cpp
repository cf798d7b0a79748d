#include "tui/issue_list.hpp"

#include <algorithm>

#include "tui/filter.hpp"

namespace emend {

namespace {

constexpr std::size_t kRowsOfPage = 200, kPages = 8, kFound = 1'000, kCodesAtOnce = 5'000;

IssueSearch of_page(IssueSearch search, std::size_t first, std::size_t limit) {
  search.order = IssueOrder::worst;
  search.offset = static_cast<std::int64_t>(first);
  search.limit = limit;
  return search;
}

} // namespace

void IssueList::show(const std::string& filter) {
  const Filter read(filter);
  nothing_ = !read.problem().empty();
  search_ = read.search();
  size_.reset();
  pages_.clear();
  used_.clear();
}

void IssueList::forget() {
  size_.reset();
  total_.reset();
  pages_.clear();
  used_.clear();
  found_.clear();
  trouble_.clear();
}

std::size_t IssueList::counted(const IssueSearch& search, std::optional<std::size_t>& known) const {
  if (known) return *known;
  if (!source_.count) return 0;
  const auto count = source_.count(search);
  if (!count) trouble_ = count.error().message;
  known = count ? *count : 0;
  return *known;
}

std::size_t IssueList::size() const { return nothing_ ? 0 : counted(search_, size_); }

std::size_t IssueList::total() const { return counted({}, total_); }

const IssueList::Page* IssueList::page_of(std::size_t row) const {
  const std::size_t number = row / kRowsOfPage;
  std::erase(used_, number);
  used_.push_back(number);
  if (const auto known = pages_.find(number); known != pages_.end()) return &known->second;
  auto read = source_.page(of_page(search_, number * kRowsOfPage, kRowsOfPage));
  if (!read) trouble_ = read.error().message;
  if (used_.size() > kPages) {
    pages_.erase(used_.front());
    used_.erase(used_.begin());
  }
  return &(pages_[number] = read ? std::move(*read) : Page());
}

const Issue* IssueList::at(std::size_t row) const {
  if (row >= size()) return nullptr;
  const Page& page = *page_of(row);
  return row % kRowsOfPage < page.size() ? &page[row % kRowsOfPage] : nullptr;
}

const Issue* IssueList::find(std::string_view code) const {
  if (code.empty() || !source_.find) return nullptr;
  for (const auto& [number, page] : pages_)
    for (const Issue& issue : page)
      if (issue.code == code) return &issue;
  auto known = found_.find(code);
  if (known == found_.end()) {
    if (found_.size() >= kFound) found_.clear();
    auto read = source_.find(std::string(code));
    known = found_.emplace(code, read ? std::optional(std::move(*read)) : std::nullopt).first;
  }
  return known->second ? &*known->second : nullptr;
}

std::optional<std::size_t> IssueList::row_of(std::string_view code, std::size_t near) const {
  if (code.empty()) return std::nullopt;
  const std::size_t here = near / kRowsOfPage;
  for (std::size_t number = here == 0 ? 0 : here - 1; number <= here + 1; ++number)
    for (std::size_t row = number * kRowsOfPage; row < std::min((number + 1) * kRowsOfPage, size()); ++row)
      if (const Issue* issue = at(row); issue != nullptr && issue->code == code) return row;
  return std::nullopt;
}

std::vector<std::string> IssueList::codes(IssueSearch search, std::size_t most) const {
  std::vector<std::string> codes;
  while (source_.page && codes.size() < most) {
    const std::size_t wanted = std::min(kCodesAtOnce, most - codes.size());
    const auto page = source_.page(of_page(search, codes.size(), wanted));
    if (!page) trouble_ = page.error().message;
    if (!page || page->empty()) break;
    for (const Issue& issue : *page) codes.push_back(issue.code);
    if (page->size() < wanted) break;
  }
  return codes;
}

} // namespace emend
