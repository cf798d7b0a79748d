#include "cli/agents/conversation.hpp"

#include "base/hash.hpp"
#include "config/config_files.hpp"

namespace emend {
namespace {

constexpr std::size_t kMostCommits = 1'000;

std::int64_t number_in(const Json& json, const char* name) {
  const Json* value = find_member(json, name);
  return value != nullptr && value->is_number_integer() ? value->get<std::int64_t>() : 0;
}

std::vector<std::string> texts_in(const Json& json, const char* name) {
  std::vector<std::string> texts;
  const Json* list = find_member(json, name);
  if (list == nullptr || !list->is_array()) return texts;
  for (const Json& text : *list)
    if (text.is_string()) texts.push_back(text.get<std::string>());
  return texts;
}

// HEAD is on another line of history than when the conversation began. Commits that are older than the
// conversation were only checked out; nullopt = all were made since (amended, rebased).
Result<std::optional<std::string>> older_commit(History& repository, const Conversation& talk,
                                                const std::string& head) {
  TRY_ASSIGN(const auto commits, repository.line({head, talk.began_at, {}, kMostCommits}));
  if (commits.empty()) return std::optional<std::string>(head);
  TRY_ASSIGN(const auto facts, repository.published_commits(commits));
  for (std::size_t i = 0; i < commits.size(); ++i)
    if (facts[i].time_s < talk.began_time) return std::optional<std::string>(commits[i]);
  return std::optional<std::string>{};
}

// Where the agent's work starts; empty = at HEAD.
Result<std::string> start_of(History& repository, const Conversation& talk) {
  if (talk.began_at.empty()) return std::string();
  const auto head = repository.resolve("HEAD");
  if (!head || *head == talk.began_at) return std::string();
  const auto began = repository.resolve(talk.began_at);
  if (!began) return std::string(); // not there any more
  TRY_ASSIGN(const bool ahead, repository.is_ancestor(*began, *head));
  if (ahead) return *began;
  TRY_ASSIGN(const std::optional<std::string> older, older_commit(repository, talk, *head));
  if (older) return *older;
  TRY_ASSIGN(const std::optional<std::string> common, repository.merge_base(*began, *head));
  return common.value_or("");
}

} // namespace

Result<fs::path> conversation_file(CommandContext& context, const Json& event) {
  TRY_ASSIGN(const std::string home, context.home());
  const std::string place = find_repository_root(fs::current_path().string());
  const std::string key = string_or(event, "session_id") + "\n" + place;
  return fs::path(home) / "hooks" / (sha256_hex(key).substr(0, 24) + ".json");
}

Conversation read_conversation(const fs::path& file) {
  const auto text = read_file(file, 100'000);
  const auto json = text ? parse_json(*text) : Result<Json>(fail(text.error()));
  if (!json || !json->is_object()) return {};
  Conversation talk;
  talk.began_at = string_or(*json, "began_at");
  talk.began_time = number_in(*json, "began_time");
  talk.settled = string_or(*json, "settled");
  talk.checked = string_or(*json, "checked");
  talk.reason = string_or(*json, "reason");
  talk.topic = string_or(*json, "topic");
  talk.said = texts_in(*json, "said");
  talk.blocks = static_cast<int>(number_in(*json, "blocks"));
  talk.let_go = number_in(*json, "let_go") != 0;
  talk.timeouts = static_cast<int>(number_in(*json, "timeouts"));
  return talk;
}

Status keep_conversation(const fs::path& file, const Conversation& talk) {
  TRY(make_directories(file.parent_path(), 0700));
  return write_file(file, dump_json({{"began_at", talk.began_at},
                                     {"began_time", talk.began_time},
                                     {"settled", talk.settled},
                                     {"checked", talk.checked},
                                     {"reason", talk.reason},
                                     {"topic", talk.topic},
                                     {"said", talk.said},
                                     {"blocks", talk.blocks},
                                     {"let_go", talk.let_go ? 1 : 0},
                                     {"timeouts", talk.timeouts}}));
}

Result<CheckOrder> change_in(CommandContext& context, const Conversation& talk) {
  TRY_ASSIGN(const std::string home, context.home());
  const std::string place = fs::current_path().string();
  TRY_ASSIGN(const std::unique_ptr<Repository> repository,
             context.dependencies().open_repository(place, home, {}));
  CheckWords words;
  TRY_ASSIGN(words.base, start_of(*repository, talk));
  return find_change(
      *repository, [&] { return context.store(); }, words);
}

std::string state_of(const CheckOrder& order) { return order.base + " " + order.patch.sha256(); }

} // namespace emend
