// The issues that pass a filter, worst first: a list of any length, of which only the pages that are looked
// at are in memory.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/issue.hpp"
#include "ports/ledger.hpp"

namespace emend {

// Where they come from. The search has the order, and a page's offset and limit.
struct IssueSource {
  std::function<Result<std::size_t>(const IssueSearch& search)> count;
  std::function<Result<std::vector<Issue>>(const IssueSearch& search)> page;
  std::function<Result<Issue>(const std::string& code_or_id)> find;
};

// An issue that was handed out stays where it is until some more pages are read or the list forgets.
class IssueList {
public:
  IssueList() = default; // empty, for ever
  explicit IssueList(IssueSource source) : source_(std::move(source)) {}

  void show(const std::string& filter); // from now on only these
  void forget();                        // what was read is old

  [[nodiscard]] std::size_t size() const;  // that pass the filter
  [[nodiscard]] std::size_t total() const; // all of them
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] const Issue* at(std::size_t row) const;
  [[nodiscard]] const Issue* find(std::string_view code) const; // whether it passes the filter or not
  // The row of an issue if it is at most a page away from `near`: a longer list is not read for it.
  [[nodiscard]] std::optional<std::size_t> row_of(std::string_view code, std::size_t near) const;
  [[nodiscard]] std::vector<std::string> codes(IssueSearch search, std::size_t most) const;

  [[nodiscard]] const std::string& trouble() const { return trouble_; } // why something could not be read

private:
  using Page = std::vector<Issue>;
  [[nodiscard]] std::size_t counted(const IssueSearch& search, std::optional<std::size_t>& known) const;
  [[nodiscard]] const Page* page_of(std::size_t row) const;

  IssueSource source_;
  IssueSearch search_;                                                     // of the filter
  bool nothing_ = false;                                                   // the filter means nothing
  mutable std::map<std::size_t, Page> pages_;                              // by their number
  mutable std::vector<std::size_t> used_;                                  // their numbers, the latest last
  mutable std::map<std::string, std::optional<Issue>, std::less<>> found_; // by code
  mutable std::optional<std::size_t> size_, total_;
  mutable std::string trouble_;
};

} // namespace emend
