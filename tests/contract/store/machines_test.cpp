// Who is dead and who only runs on another machine.
#include "adapters/clock/system_clock.hpp"
#include "adapters/process/supervised_runner.hpp"
#include "engine/branch/recovery.hpp"
#include "engine/session/session_manager.hpp"
#include "ports/machine.hpp"
#include "tests/contract/store/store_contract.hpp"
#include "tests/fakes/fake_repository.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/postgres_server.hpp"

namespace emend::testing_support {

namespace {

class NoAgents final : public AgentFactory {
public:
  Result<std::unique_ptr<Agent>> make(const AgentBinding&) override {
    return fail(ErrorCode::agent, "there is none");
  }
};

const std::string kElsewhere =
    boot_id() + "@0123456789abcdef"; // even with the same boot id, as containers have it

} // namespace

class MachinesContract : public StoreContract {
protected:
  void SetUp() override {
    StoreContract::SetUp();
    if (IsSkipped()) return;
    auto made = TemporaryDirectory::create(fs::temp_directory_path(), "emend-machines-");
    ASSERT_TRUE(made);
    home_.emplace(*std::move(made));
  }
  void put_running(const std::string& boot) {
    Session session = full_session("sess1");
    session.repository_id = repository_.id();
    session.issue_ids.clear();
    session.status = SessionStatus::running;
    session.cancel_requested = false;
    session.owner = {1, 1, boot}; // a process that started at another time
    Change change;
    change.sessions = {session};
    must(store().apply(change, kNow));
    must(store().add_child({"sess1", 1, 1, boot}));
  }
  Ports ports() { return {store(), repository_, runner_, agents_, clock_}; }
  std::vector<std::string> recovered() {
    const Ports world = ports();
    EventLog log(store(), clock_, {});
    return must(recover(world, log));
  }
  Session session() { return must(store().session("sess1")); }

  std::optional<TemporaryDirectory> home_;
  FakeRepository repository_{{}};
  SupervisedRunner runner_{EMEND_EXEC_BINARY};
  NoAgents agents_;
  SystemClock clock_;
};

TEST_P(MachinesContract, AnotherBootOfThisMachineIsDead) {
  const std::string here = boot_and_machine();
  put_running("00000000-0000-0000-0000-000000000000" + here.substr(here.find('@')));
  EXPECT_EQ(present_status(session()), SessionStatus::interrupted);
  EXPECT_EQ(recovered(), std::vector<std::string>{"sess1"});
  EXPECT_TRUE(must(store().children("sess1")).empty());
}

TEST_P(MachinesContract, WhoNamesNoMachineIsOfThisOne) {
  put_running("00000000-0000-0000-0000-000000000000");
  EXPECT_FALSE(is_of_another_machine("00000000-0000-0000-0000-000000000000"));
  EXPECT_EQ(present_status(session()), SessionStatus::interrupted);
  EXPECT_EQ(recovered(), std::vector<std::string>{"sess1"});
}

TEST_P(MachinesContract, AnotherMachineIsDeadOnlyWhereNoneCanShareTheStore) {
  put_running(kElsewhere);
  const bool shared = GetParam().name == "postgresql";
  EXPECT_EQ(is_shared(store()), shared);
  EXPECT_EQ(recovered().size(), shared ? 0U : 1U);
  EXPECT_EQ(session().status, shared ? SessionStatus::running : SessionStatus::interrupted);
  EXPECT_EQ(must(store().children("sess1")).size(), shared ? 1U : 0U) << "its children are its own";
}

class ElsewhereContract : public MachinesContract {};

TEST_P(ElsewhereContract, ASessionElsewhereIsAskedToStopAndSetAsideWhenAskedTwice) {
  put_running(kElsewhere);
  SessionManager manager(ports(), home_->path().string(), {});
  const auto resumed = manager.resume("sess1", {});
  ASSERT_FALSE(resumed);
  EXPECT_EQ(resumed.error().code, ErrorCode::conflict);
  EXPECT_NE(resumed.error().message.find("another machine"), std::string::npos) << resumed.error().message;
  must(manager.cancel("sess1"));
  EXPECT_EQ(session().status, SessionStatus::running) << "whoever runs it is to end it";
  EXPECT_TRUE(session().cancel_requested);
  must(manager.cancel("sess1"));
  EXPECT_EQ(session().status, SessionStatus::cancelled);
}

// Only a shared store has sessions elsewhere.
INSTANTIATE_TEST_SUITE_P(Stores, ElsewhereContract, ::testing::Values(store_kinds().back()),
                         [](const auto& kind) { return kind.param.name; });
INSTANTIATE_TEST_SUITE_P(Stores, MachinesContract, ::testing::ValuesIn(store_kinds()),
                         [](const auto& kind) { return kind.param.name; });

} // namespace emend::testing_support
