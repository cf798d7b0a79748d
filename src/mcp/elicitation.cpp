#include "mcp/elicitation.hpp"

#include "base/secret.hpp"
#include "base/strings.hpp"

namespace emend::mcp {
namespace {

constexpr std::int64_t kHoldsMs = 600'000;
constexpr const char* kOwnWords = "-other"; // the field beside a choice

Json field(const std::string& title, const std::string& description) {
  return {{"type", "string"}, {"title", title}, {"description", description}};
}

std::string text_in(const Json& content, const std::string& name) {
  const Json* value = find_member(content, name);
  return value != nullptr && value->is_string() ? std::string(trim(value->get<std::string>())) : "";
}

std::string digest(const AskedCall& call, const std::string& key, const std::string& until) {
  return hmac_sha256_hex(key, until + '\n' + call.tool + '\n' + dump_json(call.arguments));
}

} // namespace

bool shows_forms(const Json& capabilities) {
  const Json* elicitation = find_member(capabilities, "elicitation");
  if (elicitation == nullptr || !elicitation->is_object()) return false;
  return elicitation->empty() || elicitation->contains("form");
}

Json form_of(const std::vector<Question>& questions) {
  Json fields = Json::object();
  for (const Question& question : questions) {
    fields[question.id] = field(question.id, first_line(clean_text(question.text), 400));
    if (question.suggestions.empty()) continue;
    Json& choices = fields[question.id]["enum"] = Json::array();
    for (const std::string& suggestion : question.suggestions)
      choices.push_back(first_line(clean_text(suggestion), 200));
    fields[question.id + kOwnWords] = field("Another answer to " + question.id, "In your own words");
  }
  const std::string message = questions.size() == 1
                                  ? "emend asks: " + first_line(clean_text(questions.front().text), 400)
                                  : "emend has questions that only you can answer.";
  return {{"mode", "form"},
          {"message", message},
          {"requestedSchema", {{"type", "object"}, {"properties", std::move(fields)}}}};
}

Replies replies_in(const std::vector<Question>& questions, const Json& result) {
  Replies replies;
  const Json* content = find_member(result, "content");
  if (string_or(result, "action") != "accept" || content == nullptr || !content->is_object()) return replies;
  for (const Question& question : questions) {
    std::string said = text_in(*content, question.id + kOwnWords);
    if (said.empty()) said = text_in(*content, question.id);
    if (!said.empty()) replies[question.id] = said;
  }
  return replies;
}

std::string seal(const AskedCall& call, const std::string& key, std::int64_t now_ms) {
  const std::string until = std::to_string(now_ms + kHoldsMs);
  return until + "." + digest(call, key, until);
}

bool is_sealed(const std::string& state, const AskedCall& call, const std::string& key, std::int64_t now_ms) {
  const std::string until = state.substr(0, state.find('.'));
  const auto end = parse_unsigned(until);
  return end && *end >= static_cast<std::uint64_t>(now_ms) &&
         same_secret(state, until + "." + digest(call, key, until));
}

} // namespace emend::mcp
