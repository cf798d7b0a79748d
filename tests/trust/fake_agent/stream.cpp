#include "tests/trust/fake_agent/stream.hpp"

#include <unistd.h>

#include <cerrno>

namespace emend::fake_agent {

using nlohmann::json;

bool put(const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(STDOUT_FILENO, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

bool put_event(const json& event) {
  return put(event.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

void Stream::begin() const {
  if (dialect_ == "codex") {
    put_event({{"type", "thread.started"}, {"thread_id", conversation_}});
    put_event({{"type", "turn.started"}});
  } else if (dialect_ == "gemini") {
    put_event({{"type", "init"}, {"session_id", conversation_}, {"model", model_}});
  } else {
    put_event({{"type", "system"},
               {"subtype", "init"},
               {"session_id", conversation_},
               {"model", model_},
               {"tools", json::array()}});
  }
}

void Stream::say(const std::string& text) const {
  if (dialect_ == "codex") {
    put_event({{"type", "item.completed"},
               {"item", {{"id", "item_1"}, {"type", "agent_message"}, {"text", text}}}});
  } else if (dialect_ == "gemini") {
    put_event({{"type", "message"}, {"role", "assistant"}, {"content", text}, {"delta", true}});
  } else {
    put_event(
        {{"type", "assistant"},
         {"session_id", conversation_},
         {"message",
          {{"model", model_}, {"role", "assistant"}, {"content", {{{"type", "text"}, {"text", text}}}}}}});
  }
}

void Stream::end(const std::string& answer) const {
  if (claude()) {
    put_event({{"type", "result"},
               {"subtype", "success"},
               {"is_error", false},
               {"result", answer},
               {"session_id", conversation_},
               {"num_turns", 1},
               {"total_cost_usd", 0.01},
               {"usage", {{"input_tokens", 900}, {"output_tokens", 90}}}});
    return;
  }
  say(answer);
  const json counts = {{"total_tokens", 990}, {"input_tokens", 900}, {"output_tokens", 90}, {"cached", 0}};
  if (dialect_ == "codex")
    put_event({{"type", "turn.completed"},
               {"usage", {{"input_tokens", 900}, {"cached_input_tokens", 0}, {"output_tokens", 90}}}});
  else
    put_event({{"type", "result"},
               {"status", "success"},
               {"stats",
                {{"total_tokens", 990},
                 {"input_tokens", 900},
                 {"output_tokens", 90},
                 {"cached", 0},
                 {"models", {{model_, counts}}}}}});
}

} // namespace emend::fake_agent
