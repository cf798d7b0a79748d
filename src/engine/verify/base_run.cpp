#include "engine/verify/base_run.hpp"

#include <algorithm>

namespace emend {
namespace {

bool is_for(const VerifyCommand& command, const std::vector<std::string>& files) {
  return std::any_of(files.begin(), files.end(),
                     [&](const std::string& file) { return command.applies_to(file); });
}

bool holds(const Verification& run, const std::vector<VerifyCommand>& commands) {
  return std::all_of(commands.begin(), commands.end(),
                     [&](const VerifyCommand& command) { return run.find(command.name) != nullptr; });
}

} // namespace

BaseOrder base_order(const std::vector<VerifyCommand>& commands, const std::vector<std::string>& files) {
  std::size_t fixed = commands.size();
  while (fixed > 0 && !commands[fixed - 1].paths.empty()) --fixed;
  BaseOrder order;
  for (std::size_t i = 0; i < commands.size(); ++i)
    (i < fixed || is_for(commands[i], files) ? order.first : order.rest).push_back(commands[i]);
  return order;
}

bool failed_out_of_order(const std::vector<VerifyCommand>& commands, const Verification& run) {
  const auto place = [&](const CommandRun& one) {
    return std::find_if(commands.begin(), commands.end(),
                        [&](const VerifyCommand& command) { return command.name == one.name; });
  };
  for (auto one = run.commands.begin(); one != run.commands.end(); ++one)
    if (!one->passed() && std::any_of(one + 1, run.commands.end(),
                                      [&](const CommandRun& later) { return place(later) < place(*one); }))
      return true;
  return false;
}

BaseRun::BaseRun(Verification begun, std::function<Whole(const Seen&, std::stop_token)> work,
                 std::stop_token stop)
    : commit_(begun.base),
      seen_(std::make_shared<const Verification>(std::move(begun))),
      forward_(std::move(stop), [this] { source_.request_stop(); }),
      thread_([this, work = std::move(work)] {
        Whole end = fail(ErrorCode::internal, "");
        try {
          end = work([this](const CommandRun& run) { see(run); }, source_.get_token());
        } catch (const std::exception& exception) {
          end = fail(ErrorCode::internal,
                     std::string("the run of the checks on the base: ") + exception.what());
        }
        const std::lock_guard lock(mutex_);
        if (end) seen_ = *end;
        end_ = std::move(end);
        changed_.notify_all();
      }) {}

BaseRun::~BaseRun() { source_.request_stop(); }

std::shared_ptr<const Verification> BaseRun::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

void BaseRun::see(const CommandRun& run) {
  const std::lock_guard lock(mutex_);
  Verification more = *seen_;
  more.commands.push_back(run);
  seen_ = std::make_shared<const Verification>(std::move(more));
  changed_.notify_all();
}

BaseRun::Whole BaseRun::wait_for(const std::vector<VerifyCommand>& commands) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return end_.has_value() || holds(*seen_, commands); });
  if (holds(*seen_, commands)) return seen_;
  return *end_;
}

BaseRun::Whole BaseRun::whole() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return end_.has_value(); });
  return *end_;
}

} // namespace emend
