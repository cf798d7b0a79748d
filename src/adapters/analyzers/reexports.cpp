#include "adapters/analyzers/reexports.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <set>
#include <utility>

#include "adapters/analyzers/file_choice.hpp"
#include "base/strings.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostFiles = 20'000;

// The name a finding speaks of: "User" of "'.models.User' imported but unused" and of "`models.U as User`
// ...".
std::string imported_name(const std::string& title) {
  const auto begin = title.find_first_of("'`\"");
  const auto end = begin == std::string::npos ? begin : title.find(title[begin], begin + 1);
  if (end == std::string::npos) return {};
  const std::string quoted = title.substr(begin + 1, end - begin - 1);
  const auto last = quoted.find_last_of(". ");
  return last == std::string::npos ? quoted : quoted.substr(last + 1);
}

// "models" of "app/models.py"; a package's own name of its __init__.py.
std::string module_name(std::string_view file) {
  if (file_name(file) == "__init__.py") file = file.substr(0, file.size() - file_name(file).size() - 1);
  std::string name(file_name(file));
  return name.substr(0, name.rfind('.'));
}

// Each "MODULE NAME" of `from a.MODULE import NAME, OTHER as X`, over several lines, too.
void take_imports(std::string_view text, std::set<std::string>& taken) {
  static const RE2 kFrom(R"((?m)^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]*(\([^)]*\)|[^(\n;]*))");
  static const RE2 kName(R"((?:^|,)\s*([\w*]+))");
  re2::StringPiece rest(text.data(), text.size()), module, names, name;
  while (RE2::FindAndConsume(&rest, kFrom, &module, &names)) {
    const std::string path = module.as_string();
    const auto dot = path.rfind('.');
    const std::string last = dot == std::string::npos ? path : path.substr(dot + 1);
    if (names.starts_with("(")) names.remove_prefix(1);
    std::string list = names.as_string();
    RE2::GlobalReplace(&list, "#[^\n]*", "");
    re2::StringPiece left(list);
    while (RE2::FindAndConsume(&left, kName, &name)) taken.insert(last + " " + name.as_string());
  }
}

std::set<std::string> imports_of_project(SourceTree& tree) {
  std::set<std::string> taken;
  const auto files = tree.files(kMostFiles);
  for (const std::string& file : files ? *files : std::vector<std::string>{})
    if (has_extension(file, {"py", "pyi"}))
      if (const auto text = tree.text(file)) take_imports(text->bytes(), taken);
  return taken;
}

bool says_what_it_is_for(SourceTree& tree, const std::string& file) {
  static const RE2 kAll(R"((?m)^__all__\b)");
  const auto text = tree.text(file);
  return text != nullptr &&
         RE2::PartialMatch(re2::StringPiece(text->bytes().data(), text->bytes().size()), kAll);
}

} // namespace

void doubt_reexports(std::vector<Finding>& findings, SourceTree& tree) {
  for (Finding& finding : findings) { // names that the module makes when it is asked for them
    const auto text = finding.rule == "F822" ? tree.text(finding.file) : nullptr;
    if (text != nullptr && contains(text->bytes(), "\ndef __getattr__(")) mark_doubtful(finding);
  }
  const auto is_unused_import = [](const Finding& finding) { return finding.rule == "F401"; };
  if (std::none_of(findings.begin(), findings.end(), is_unused_import)) return;
  const std::set<std::string> taken = imports_of_project(tree);
  for (Finding& finding : findings) {
    if (!is_unused_import(finding)) continue;
    const std::string module = module_name(finding.file), name = imported_name(finding.title);
    const bool changes_others = name == "setuptools"; // importing it is what it is for
    if (changes_others || taken.contains(module + " " + name) || taken.contains(module + " *") ||
        says_what_it_is_for(tree, finding.file))
      mark_doubtful(finding);
  }
}

} // namespace emend
