#include "adapters/analyzers/codespell.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "adapters/analyzers/code_mask.hpp"
#include "adapters/analyzers/codespell_rules.hpp"
#include "adapters/analyzers/special_analyzers.hpp"
#include "adapters/analyzers/word_uses.hpp"
#include "base/strings.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

// "codespell/teh"
std::string word_of(const Finding& finding) {
  return to_lower(finding.rule.substr(finding.rule.find('/') + 1));
}

// A slip happens a few times. What is written again and again, or is too short to tell from an abbreviation,
// or could be several words, is more often meant than not.
bool is_meant(const Finding& finding, const WordUse& use) {
  constexpr std::size_t kOften = 3, kShort = 3;
  return word_of(finding).size() <= kShort || use.prose + use.names > kOften || !finding.fixit;
}

// "\\nDoes", "&pluse;", "?praefix=", "userA": the word is cut out of something that is no word.
bool is_part_of_code(std::string_view bytes, const Edit& edit) {
  const char before = edit.offset == 0 ? ' ' : bytes[edit.offset - 1];
  const std::size_t end = edit.offset + edit.length;
  const char after = end < bytes.size() ? bytes[end] : ' ';
  const std::string_view tail = bytes.substr(edit.offset + 1, edit.length - 1);
  const bool mixed = std::any_of(tail.begin(), tail.end(), [](char c) { return c >= 'A' && c <= 'Z'; }) &&
                     std::any_of(tail.begin(), tail.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return contains("\\&?@$%", std::string_view(&before, 1)) || after == '=' || mixed;
}

// Small words make up more than a tenth of any English text. Where hardly one is met, it is another language,
// and its words are no misspellings of English ones.
bool is_another_language(std::string_view bytes) {
  constexpr std::size_t kFewWords = 40, kOneIn = 50;
  const std::set<std::string_view> small = {"the",  "The", "of",  "and", "with", "this", "This",
                                            "that", "you", "You", "are", "from", "to",   "for"};
  std::size_t words = 0, known = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t end = at;
    while (end < bytes.size() &&
           (is_identifier(bytes[end]) || static_cast<unsigned char>(bytes[end]) >= 0x80))
      ++end;
    if (end > at) ++words, known += small.count(bytes.substr(at, end - at));
    at = end + 1;
  }
  return words >= kFewWords && known * kOneIn < words;
}

std::string misspelled(const Finding& finding, const SourceText& text) {
  const Edit& edit = finding.fixit->edits.front();
  return text.bytes().substr(edit.offset, edit.length);
}

std::string same_key(std::string_view key) { return replace_all(to_lower(trim(key)), "_", "-"); }

class Codespell : public ToolAnalyzer {
public:
  using ToolAnalyzer::ToolAnalyzer;

  [[nodiscard]] bool understands(std::string_view path) const override {
    return is_prose(path) || ToolAnalyzer::understands(path);
  }

protected:
  // codespell has no flag that takes these back.
  [[nodiscard]] std::string why_skipped(SourceTree& tree) const override {
    for (const auto& [file, section] : {std::pair{".codespellrc", "codespell"},
                                        {"setup.cfg", "codespell"},
                                        {"pyproject.toml", "tool.codespell"}}) {
      const auto text = tree.text(file);
      if (text != nullptr && section_sets(text->bytes(), section, {"write-changes", "interactive"}))
        return std::string(file) + " asks codespell to change files itself; an analyzer never does";
    }
    return {};
  }

  [[nodiscard]] Result<ToolOutput> parse(const ProcessResult& result, const std::string& report,
                                         SourceTree& tree) const override {
    TRY_ASSIGN(ToolOutput output, ToolAnalyzer::parse(result, report, tree));
    if (result.exit_code != 0 && output.findings.empty())
      return fail(ErrorCode::io, "it reports misspellings and names none");
    return output;
  }

  void settle(std::vector<Finding>& findings, const AnalysisRequest&, SourceTree& tree) const override {
    judge_spellings(findings, tree);
  }
};

} // namespace

bool section_sets(std::string_view ini, std::string_view section,
                  std::initializer_list<std::string_view> keys) {
  bool inside = false;
  for (const std::string_view raw : lines_of(ini)) {
    const std::string_view line = trim(raw);
    if (line.starts_with('[')) inside = line.starts_with("[" + std::string(section) + "]");
    if (!inside) continue;
    const std::string key = same_key(line.substr(0, line.find_first_of("=:")));
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) return true;
  }
  return false;
}

// Two looks: what each place says of itself, and, for what is left, how the whole tree uses the word.
void judge_spellings(std::vector<Finding>& findings, SourceTree& tree) {
  const CodespellRules rules = read_codespell_rules(tree);
  std::erase_if(findings, [&](const Finding& finding) {
    return rules.ignores(finding.file, finding.rule.substr(finding.rule.find('/') + 1));
  });
  std::set<std::string> words, plain; // plain: those that may be corrected where they stand
  std::map<std::string, WordUse> uses;
  for (const bool counted : {false, true}) {
    std::string opened;
    std::shared_ptr<const SourceText> text;
    std::optional<SpellingText> spelling;
    bool foreign = false;
    if (counted) uses = word_uses(tree, words);
    for (Finding& finding : findings) {
      if (!counted) words.insert(word_of(finding));
      if (counted && is_meant(finding, uses[word_of(finding)])) mark_doubtful(finding);
      if (!finding.fixit || finding.fixit->edits.empty()) continue;
      if (finding.file != opened) { // a file's misspellings come together
        spelling.reset();
        text = tree.text(opened = finding.file);
        if (text != nullptr) spelling.emplace(finding.file, text->bytes());
        foreign = text != nullptr && is_prose(finding.file) && is_another_language(text->bytes());
      }
      if (!spelling) continue;
      const Edit& edit = finding.fixit->edits.front();
      const std::string word = misspelled(finding, *text);
      std::string why = spelling->why_not_safe(
          edit.offset, word, edit.text, counted && plain.contains(word) ? uses[word_of(finding)] : WordUse{});
      if (why.empty() && !rules.unclear.empty())
        why = rules.unclear + " says something about codespell that emend cannot read";
      if (!counted && why.empty()) plain.insert(word);
      if (!counted) continue;
      if (foreign && why.empty()) why = "the text is not English";
      if (foreign || spelling->is_name(edit.offset, edit.length) || is_part_of_code(text->bytes(), edit))
        mark_doubtful(finding);
      finding.fixit->safe = why.empty();
      if (!why.empty())
        finding.suggestion = finding.fixit->description += " if it is a mistake (" + why + ")";
    }
  }
}

std::unique_ptr<ToolAnalyzer> make_codespell(const KnownAnalyzer& row, ProcessRunner& processes,
                                             ProjectCode) {
  return std::make_unique<Codespell>(processes, row);
}

} // namespace emend
