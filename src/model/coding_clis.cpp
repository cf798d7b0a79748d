#include "model/coding_clis.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/strings.hpp"

namespace emend {
namespace {

struct Maker {
  std::string_view start, family;
};

constexpr Maker kModels[] = {
    {"claude", "anthropic"},  {"opus", "anthropic"},    {"sonnet", "anthropic"}, {"haiku", "anthropic"},
    {"gpt", "openai"},        {"codex", "openai"},      {"o1", "openai"},        {"o3", "openai"},
    {"o4", "openai"},         {"gemini", "google"},     {"gemma", "google"},     {"qwen", "alibaba"},
    {"deepseek", "deepseek"}, {"grok", "xai"},          {"llama", "meta"},       {"mistral", "mistral"},
    {"devstral", "mistral"},  {"codestral", "mistral"}, {"kimi", "moonshot"},    {"glm", "zhipu"}};

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wmissing-field-initializers"
std::deque<CodingCli>& rows() {
  // Not const: a test program adds a made-up one before main().
  static std::deque<CodingCli> rows = {
#define CODING_CLI(NAME, ...) CodingCli{.name = #NAME, __VA_ARGS__},
#include "model/coding_clis.def"
#undef CODING_CLI
  };
  return rows;
}
#pragma GCC diagnostic pop

} // namespace

std::string LoginFile::path(const std::string& user_home, const char* value) const {
  if (value != nullptr && *value == '/') return std::string(value) + "/" + name;
  return user_home.empty() ? std::string() : user_home + "/" + directory + "/" + name;
}

const std::deque<CodingCli>& coding_clis() { return rows(); }

const CodingCli* find_coding_cli(std::string_view name) {
  const auto found =
      std::find_if(rows().begin(), rows().end(), [&](const CodingCli& cli) { return cli.name == name; });
  return found == rows().end() ? nullptr : &*found;
}

const CodingCli& coding_cli(std::string_view name) {
  if (const CodingCli* cli = find_coding_cli(name)) return *cli;
  throw std::logic_error("model/coding_clis.def has no row " + std::string(name));
}

std::vector<std::string> coding_cli_names() {
  std::vector<std::string> names;
  for (const CodingCli& cli : rows()) names.push_back(cli.name);
  return names;
}

std::vector<std::string> of_all_coding_clis(std::vector<std::string> CodingCli::*list) {
  std::vector<std::string> all;
  for (const CodingCli& cli : rows()) all.insert(all.end(), (cli.*list).begin(), (cli.*list).end());
  return all;
}

std::string family_of(std::string_view engine, std::string_view model) {
  std::string name = to_lower(model);
  if (const auto slash = name.rfind('/'); slash != std::string::npos)
    name.erase(0, slash + 1); // "anthropic/claude-x", "models/gemini-x"
  for (const Maker& maker : kModels)
    if (name.starts_with(maker.start)) return std::string(maker.family);
  const CodingCli* cli = find_coding_cli(engine);
  return cli != nullptr ? cli->family : std::string();
}

} // namespace emend
