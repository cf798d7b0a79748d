// What a judge was shown of a hidden check: its words are searched for it before anybody else reads them.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace emend {

class HiddenWords {
public:
  HiddenWords() = default;
  // known: what whoever must not learn them reads anyway; a line of a check is no secret where it stands
  // there.
  explicit HiddenWords(std::string_view known);

  void hide_value(std::string_view value); // an input: wherever it stands alone
  void hide_text(std::string_view text);   // a line of a check, an answer: in pieces, however it is spaced
  [[nodiscard]] bool empty() const { return values_.empty() && texts_.empty(); }

  [[nodiscard]] bool quoted_in(std::string_view sentence) const;
  // The text without the sentences that quote them; it says that something is left out.
  [[nodiscard]] std::string left_of(const std::string& text) const;
  // The items that quote nothing.
  [[nodiscard]] std::vector<std::string> left_of(const std::vector<std::string>& items) const;

private:
  std::string known_;
  std::set<std::string> values_;
  std::vector<std::string> texts_; // in single spaces
};

} // namespace emend
