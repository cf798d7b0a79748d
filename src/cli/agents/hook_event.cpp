#include "cli/agents/hook_event.hpp"

#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "cli/findings_input.hpp"
#include "config/config_files.hpp"

namespace emend {
namespace {

constexpr std::size_t kLargestEvent = 16'000'000;

} // namespace

std::optional<Json> hook_event(CommandContext& context) {
  if (!variable(context.environment(), "EMEND_INSIDE").empty()) return std::nullopt;
  const auto text = read_input("-", kLargestEvent);
  const auto event = text ? parse_json(*text) : Result<Json>(fail(text.error()));
  if (!event || !event->is_object()) {
    context.hint("no event on stdin: coding agents call this command (docs/check.md)");
    return std::nullopt;
  }
  std::error_code problem;
  if (const std::string cwd = string_or(*event, "cwd"); !cwd.empty()) fs::current_path(cwd, problem);
  if (problem) return std::nullopt;
  return *event;
}

Result<bool> said_before(CommandContext& context, const std::string& message) {
  TRY_ASSIGN(const std::string home, context.home());
  const std::string place = find_repository_root(fs::current_path().string());
  const fs::path file =
      fs::path(home) / "hooks" / ("said-" + sha256_hex(place + "\n" + message).substr(0, 24));
  std::error_code problem;
  if (fs::exists(file, problem)) return true;
  TRY(make_directories(file.parent_path().string(), 0700));
  TRY(write_file(file, ""));
  return false;
}

void tell_once(CommandContext& context, const std::string& message) {
  const auto before = said_before(context, message);
  if (!before.value_or(false)) context.print(dump_json({{"systemMessage", message}}) + "\n");
}

} // namespace emend
