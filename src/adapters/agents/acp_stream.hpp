// Our side of the Agent Client Protocol (JSON-RPC, one message per line): what to say next, and what the
// agent has said. Pure.
#pragma once

#include "adapters/agents/driver.hpp"

namespace emend {

class AcpStream : public StreamParser {
public:
  explicit AcpStream(DriverRequest request, std::string workspace)
      : request_(std::move(request)), workspace_(std::move(workspace)) {}

  // The first message; to be written before anything is read.
  [[nodiscard]] std::string opening();
  // Messages to be written since the last call.
  [[nodiscard]] std::string take_outbox() { return std::exchange(outbox_, {}); }

  [[nodiscard]] bool finished() const override { return account_.final_event; }
  [[nodiscard]] StreamAccount account() const override;
  [[nodiscard]] bool nudged() const { return nudged_; }

protected:
  void event(const Json& message) override;

private:
  enum class Step { initialize, session, mode, model, prompt, over };

  void ask(Step step, const std::string& method, Json params);
  void reply(const Json& id, Json result);
  void refuse(const Json& id, int code, const std::string& text);
  void request_from_agent(const Json& message, const std::string& method);
  void permission(const Json& id, const Json& params);
  [[nodiscard]] bool allowed(const std::string& kind) const;
  void answered(const Json& result);
  void failed(const Json& error);
  void open_session(const Json& capabilities);
  void choose_mode(const Json& session);
  void choose_model();
  void send_prompt(const std::string& text);
  void prompt_over(const Json& result);
  void update(const Json& update);
  void read_usage(const Json& result);

  DriverRequest request_;
  std::string workspace_;
  std::string outbox_;
  StreamAccount account_;
  Step step_ = Step::initialize;
  std::int64_t last_id_ = 0;
  bool answer_is_over_ = false; // a tool was used since: what was said before is not the answer
  bool nudged_ = false;
};

} // namespace emend
