#include "model/known_analyzers.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/strings.hpp"

namespace emend {

namespace {

std::vector<KnownAnalyzer>& rows() {
  static std::vector<KnownAnalyzer> table = catalogue_rows();
  return table;
}

template <typename Value>
const Value* first_fit(const std::vector<std::pair<std::string, Value>>& table,
                       std::initializer_list<std::string_view> words) {
  for (const auto& [start, value] : table)
    for (const std::string_view word : words)
      if (word.starts_with(start)) return &value;
  return nullptr;
}

} // namespace

const std::vector<KnownAnalyzer>& known_analyzers() { return rows(); }

void add_known_analyzer(KnownAnalyzer row) { rows().push_back(std::move(row)); }

const KnownAnalyzer* find_known_analyzer(std::string_view name) {
  for (const KnownAnalyzer& row : rows())
    if (row.name == name) return &row;
  return nullptr;
}

const KnownAnalyzer& known_analyzer(std::string_view name) {
  const KnownAnalyzer* row = find_known_analyzer(name);
  if (row == nullptr) throw std::out_of_range("no analyzer is called " + std::string(name));
  return *row;
}

std::string page_of_rule(const KnownAnalyzer& tool, std::string_view rule) {
  constexpr std::string_view kCompiler = "clang-diagnostic-";
  if (rule.starts_with(kCompiler))
    return "https://clang.llvm.org/docs/DiagnosticsReference.html#w" +
           std::string(rule.substr(kCompiler.size()));
  if (tool.rule_page.empty()) return tool.home_page;
  // Of "clang-analyzer-core.NullDereference" the group is two words long.
  const std::string_view search = rule.starts_with("clang-") ? rule.substr(6) : rule;
  const auto cut = search.find_first_of("-/");
  const std::size_t before = rule.size() - search.size();
  const std::string_view group = cut == std::string_view::npos ? rule : rule.substr(0, before + cut);
  const std::string_view rest = cut == std::string_view::npos ? rule : rule.substr(before + cut + 1);
  std::string page = replace_all(tool.rule_page, "{rule}", rule);
  page = replace_all(page, "{name}", last_name(rule));
  page = replace_all(page, "{lower_group}", to_lower(group));
  page = replace_all(page, "{lower}", to_lower(rule));
  page = replace_all(page, "{group}", group);
  return replace_all(page, "{rest}", rest);
}

std::string_view last_name(std::string_view rule) {
  const auto cut = rule.find_last_of("/:");
  return cut == std::string_view::npos ? rule : rule.substr(cut + 1);
}

std::optional<Severity> severity_by(const KnownAnalyzer& tool,
                                    std::initializer_list<std::string_view> words) {
  const Severity* found = first_fit(tool.severities, words);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::string category_by(const KnownAnalyzer& tool, std::initializer_list<std::string_view> words) {
  const std::string* found = first_fit(tool.categories, words);
  return found == nullptr ? std::string() : *found;
}

} // namespace emend
