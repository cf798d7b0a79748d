#include "model/agent_family.hpp"

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

constexpr Maker kEngines[] = {
    {"claude", "anthropic"}, {"codex", "openai"}, {"gemini", "google"}, {"qwen", "alibaba"}};

} // namespace

std::string family_of(std::string_view engine, std::string_view model) {
  std::string name = to_lower(model);
  if (const auto slash = name.rfind('/'); slash != std::string::npos)
    name.erase(0, slash + 1); // "anthropic/claude-x", "models/gemini-x"
  for (const Maker& maker : kModels)
    if (name.starts_with(maker.start)) return std::string(maker.family);
  for (const Maker& maker : kEngines)
    if (engine == maker.start) return std::string(maker.family);
  return {};
}

} // namespace emend
