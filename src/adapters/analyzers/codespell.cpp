#include "adapters/analyzers/codespell.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "adapters/analyzers/codespell_rules.hpp"
#include "adapters/analyzers/word_uses.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte >= 0x80 || c == '_' || c == '-' || c == '\'';
}

// The offset in line of the n-th (from 0) occurrence of word as a whole word.
std::optional<std::size_t> find_word(std::string_view line, std::string_view word, int n) {
  for (auto at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool whole = (at == 0 || !is_word(line[at - 1])) && (end == line.size() || !is_word(line[end]));
    if (whole && n-- == 0) return at;
  }
  return std::nullopt;
}

struct Misspelling {
  std::string file, word, candidates;
  std::int64_t line = 0;
};

std::optional<Misspelling> read_line(std::string_view line) {
  const auto arrow = line.find(" ==> ");
  const std::string_view head = line.substr(0, arrow);
  const auto space = head.rfind(": ");
  if (arrow == std::string_view::npos || space == std::string_view::npos) return std::nullopt;
  const auto colon = head.rfind(':', space == 0 ? 0 : space - 1);
  if (colon == std::string_view::npos || colon >= space) return std::nullopt;
  const auto number = parse_unsigned(head.substr(colon + 1, space - colon - 1));
  Misspelling found{std::string(head.substr(0, colon)), std::string(head.substr(space + 2)),
                    std::string(trim(line.substr(arrow + 5)))};
  if (!number || *number == 0 || *number > 100'000'000 || found.word.empty() || found.candidates.empty())
    return std::nullopt;
  found.line = static_cast<std::int64_t>(*number);
  return found;
}

// Several candidates, or one with a warning behind it, are for a person to choose from.
bool is_certain(std::string_view candidates) {
  return candidates.find_first_of(",|") == std::string_view::npos;
}

Finding finding_of(const Misspelling& found, const std::string& file, int occurrence, SourceTree& tree) {
  Finding finding =
      make_finding("codespell", "codespell/" + to_lower(clean_text(found.word)), Severity::low, "spelling",
                   file, "Misspelled: " + found.word + " (" + found.candidates + ")");
  finding.line = static_cast<int>(found.line);
  finding.suggestion = "Write " + clean_text(found.candidates);
  const auto text = tree.text(file);
  const auto at = text == nullptr ? std::nullopt : find_word(text->line(found.line), found.word, occurrence);
  const auto begin = text == nullptr ? std::nullopt : text->offset(found.line, 1, ColumnUnit::bytes);
  if (!at || !begin) return finding;
  finding.line_end = finding.line;
  finding.column = static_cast<int>(*at) + 1;
  finding.column_end = finding.column + static_cast<int>(found.word.size());
  const std::size_t offset = *begin + *at;
  if (is_certain(found.candidates))
    finding.fixit =
        make_fixit(finding.suggestion, false, {{file, offset, found.word.size(), found.candidates}});
  return finding;
}

std::string word_of(const Finding& finding, const SourceText& text) {
  const Edit& edit = finding.fixit->edits.front();
  return text.bytes().substr(edit.offset, edit.length);
}

std::string same_key(std::string_view key) { return replace_all(to_lower(trim(key)), "_", "-"); }

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

Codespell::Codespell(ProcessRunner& processes)
    : ToolAnalyzer(processes,
                   {.name = "codespell", .programs = {"codespell"}, .remedy = "apt-get install codespell"}) {}

bool Codespell::understands(std::string_view path) const {
  return is_prose(path) ||
         has_extension(path,
                       {"c",   "cc",   "cpp",   "cxx",  "h",    "hh",  "hpp", "hxx", "js",    "jsx",   "mjs",
                        "cjs", "ts",   "tsx",   "py",   "pyi",  "rb",  "go",  "rs",  "java",  "kt",    "cs",
                        "php", "sh",   "bash",  "pl",   "lua",  "sql", "m",   "mm",  "swift", "scala", "html",
                        "css", "scss", "cmake", "toml", "yaml", "yml", "ini", "cfg"});
}

// codespell has no flag that takes these back.
std::string Codespell::why_skipped(SourceTree& tree) const {
  for (const auto& [file, section] : {std::pair{".codespellrc", "codespell"},
                                      {"setup.cfg", "codespell"},
                                      {"pyproject.toml", "tool.codespell"}}) {
    const auto text = tree.text(file);
    if (text != nullptr && section_sets(text->bytes(), section, {"write-changes", "interactive"}))
      return std::string(file) + " asks codespell to change files itself; an analyzer never does";
  }
  return {};
}

ToolCall Codespell::call(const std::vector<std::string>& files, const AnalysisRequest&, SourceTree&) const {
  ToolCall made{{"--disable-colors", "--"}, ""};
  made.arguments.insert(made.arguments.end(), files.begin(), files.end());
  return made;
}

Result<ToolOutput> Codespell::parse(const ProcessResult& result, const std::string&, SourceTree& tree) const {
  TRY_ASSIGN(ToolOutput output, parse_codespell(result.out, tree));
  if (result.exit_code != 0 && output.findings.empty())
    return fail(ErrorCode::io, "it reports misspellings and names none");
  return output;
}

void Codespell::settle(std::vector<Finding>& findings, SourceTree& tree) const {
  judge_spellings(findings, tree);
}

Result<ToolOutput> parse_codespell(std::string_view text, SourceTree& tree) {
  ToolOutput output;
  std::map<std::string, int> seen; // the same word again on the same line is its next occurrence
  for (const std::string_view line : lines_of(text)) {
    if (trim(line).empty() || line.starts_with("> ") || line.starts_with(": "))
      continue; // context lines some configurations ask for
    const auto found = read_line(line);
    if (!found) return fail(ErrorCode::io, "unexpected line: " + first_line(clean_text(line), 100));
    const auto file = tree.relative(found->file);
    if (!file) continue;
    const int occurrence = seen[*file + ":" + std::to_string(found->line) + ":" + found->word]++;
    output.findings.push_back(finding_of(*found, *file, occurrence, tree));
  }
  return output;
}

// Two looks: what each place says of itself, and, for what is left, how the whole tree uses the word.
void judge_spellings(std::vector<Finding>& findings, SourceTree& tree) {
  const CodespellRules rules = read_codespell_rules(tree);
  std::erase_if(findings, [&](const Finding& finding) {
    return rules.ignores(finding.file, finding.rule.substr(finding.rule.find('/') + 1));
  });
  std::set<std::string> words;
  std::map<std::string, WordUse> uses;
  for (const bool counted : {false, true}) {
    std::string opened;
    std::shared_ptr<const SourceText> text;
    std::optional<SpellingText> spelling;
    if (counted) uses = word_uses(tree, words);
    for (Finding& finding : findings) {
      if (!finding.fixit || finding.fixit->edits.empty()) continue;
      if (finding.file != opened) { // a file's misspellings come together
        spelling.reset();
        text = tree.text(opened = finding.file);
        if (text != nullptr) spelling.emplace(finding.file, text->bytes());
      }
      if (!spelling) continue;
      const Edit& edit = finding.fixit->edits.front();
      const std::string word = word_of(finding, *text);
      std::string why =
          spelling->why_not_safe(edit.offset, word, edit.text, counted ? uses[word] : WordUse{});
      if (why.empty() && !rules.unclear.empty())
        why = rules.unclear + " says something about codespell that emend cannot read";
      if (!counted && why.empty()) words.insert(word);
      if (!counted) continue;
      finding.fixit->safe = why.empty();
      if (!why.empty())
        finding.suggestion = finding.fixit->description += " if it is a mistake (" + why + ")";
    }
  }
}

} // namespace emend
