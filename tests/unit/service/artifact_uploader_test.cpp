#include "service/artifact_uploader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "engine/context/run_context.hpp"
#include "service/remote_expiry.hpp"
#include "service/upload_record.hpp"

namespace emend {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::chrono_literals;

class WallClock final : public Clock {
public:
  std::int64_t wall_ms() const override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
  std::int64_t steady_ms() const override { return wall_ms(); }
};

// A bucket in memory that can be down, slow, or unwilling to take some keys.
struct Bucket {
  std::mutex mutex;
  std::map<std::string, std::string> objects;
  std::map<std::string, std::int64_t> times;
  std::atomic<int> puts = 0, failures_left = 0, opened = 0;
  std::atomic<bool> stuck = false;
  std::string refuses;

  std::vector<std::string> keys() {
    const std::lock_guard guard(mutex);
    std::vector<std::string> all;
    for (const auto& [key, bytes] : objects) all.push_back(key);
    return all;
  }
};

class MemoryStore final : public ObjectStore {
public:
  explicit MemoryStore(Bucket& bucket) : bucket_(bucket) {}

  Status put(const std::string& key, std::string_view bytes, std::stop_token stop) override {
    ++bucket_.puts;
    while (bucket_.stuck && !stop.stop_requested()) std::this_thread::sleep_for(1ms);
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped");
    if (bucket_.failures_left > 0) {
      --bucket_.failures_left;
      return fail(ErrorCode::io, "down");
    }
    if (!bucket_.refuses.empty() && key.ends_with(bucket_.refuses)) return fail(ErrorCode::usage, "too long");
    const std::lock_guard guard(bucket_.mutex);
    bucket_.objects[key] = std::string(bytes);
    return {};
  }

  Result<ObjectPage> list(const std::string& prefix, const std::string& from, std::stop_token) override {
    const std::lock_guard guard(bucket_.mutex);
    ObjectPage page;
    for (auto at = from.empty() ? bucket_.objects.begin() : bucket_.objects.upper_bound(from);
         at != bucket_.objects.end(); ++at) {
      if (!at->first.starts_with(prefix)) continue;
      if (page.objects.size() == 2) { // pages are small, so that there are some
        page.next = page.objects.back().key;
        break;
      }
      const auto time = bucket_.times.find(at->first);
      page.objects.push_back({at->first, at->second.size(),
                              time == bucket_.times.end() ? std::nullopt : std::optional(time->second)});
    }
    return page;
  }

  Status remove(const std::string& key, std::stop_token) override {
    const std::lock_guard guard(bucket_.mutex);
    bucket_.objects.erase(key);
    return {};
  }

private:
  Bucket& bucket_;
};

class ArtifactUploaderTest : public testing::Test {
protected:
  void SetUp() override {
    auto made = TemporaryDirectory::create(fs::temp_directory_path(), "emend-uploader-");
    ASSERT_TRUE(made) << made.error().message;
    place_ = std::make_unique<TemporaryDirectory>(*std::move(made));
    ASSERT_TRUE(set_address(settings_, "s3://bucket/p"));
    settings_.retention_days = 0;
  }

  [[nodiscard]] std::string home() const { return place_->path().string(); }

  void keep(const std::string& session, const std::string& name, const std::string& text) {
    const auto written = write_scratch_file(session_folder(home(), session) / name, text);
    ASSERT_TRUE(written) << written.error().message;
  }

  std::unique_ptr<ArtifactUploader> uploader(UploadPace pace = {10, 50, 0}) {
    return std::make_unique<ArtifactUploader>(
        [this]() -> Result<std::unique_ptr<ObjectStore>> {
          ++bucket_.opened;
          if (no_keys_) return fail(ErrorCode::auth, "there are no keys");
          return std::make_unique<MemoryStore>(bucket_);
        },
        settings_, home(), clock_, pace);
  }

  std::string text(const std::string& key) {
    const std::lock_guard guard(bucket_.mutex);
    return bucket_.objects[key];
  }

  std::unique_ptr<TemporaryDirectory> place_;
  ArtifactSettings settings_;
  WallClock clock_;
  Bucket bucket_;
  std::atomic<bool> no_keys_ = false;
};

} // namespace

TEST_F(ArtifactUploaderTest, SendsWhatASessionKeptByteByByte) {
  const std::string odd = std::string("a\0b\xff\r\n", 7);
  keep("abcdefg1", "runs/BE-001-1-fixer.out.txt", odd);
  keep("abcdefg1", "master_todo.json", "{}");
  keep("abcdefg1", "proofs/BE-001.emend-proof", "proof");
  const auto uploader = this->uploader();
  uploader->kept("abcdefg1");
  const UploadState state = uploader->finish(10s);
  EXPECT_EQ(state.pending, 0u);
  EXPECT_THAT(bucket_.keys(), ElementsAre("p/fix-todos/abcdefg1/master_todo.json",
                                          "p/fix-todos/abcdefg1/proofs/BE-001.emend-proof",
                                          "p/fix-todos/abcdefg1/runs/BE-001-1-fixer.out.txt"));
  EXPECT_EQ(text("p/fix-todos/abcdefg1/runs/BE-001-1-fixer.out.txt"), odd);
}

TEST_F(ArtifactUploaderTest, SendsNothingElseOfTheFolder) {
  keep("abcdefg1", "report.json", "{}");
  for (const char* name : {"conversations/x/claude/y.jsonl", "messages/1.json", "runs/deeper/x.txt",
                           "runs/.hidden", "secret.json", "proofs/x.txt", "fix_todo_\n.json"})
    keep("abcdefg1", name, "private");
  fs::create_symlink("/etc/passwd", session_folder(home(), "abcdefg1") / "master_todo.json");
  const auto uploader = this->uploader();
  uploader->kept("abcdefg1");
  EXPECT_EQ(uploader->finish(10s).pending, 0u);
  EXPECT_THAT(bucket_.keys(), ElementsAre("p/fix-todos/abcdefg1/report.json"));
}

TEST_F(ArtifactUploaderTest, SendsAFileAgainOnlyWhenItChanged) {
  keep("abcdefg1", "report.json", "one");
  {
    const auto uploader = this->uploader();
    uploader->kept("abcdefg1");
    EXPECT_EQ(uploader->finish(10s).pending, 0u);
  }
  EXPECT_EQ(bucket_.puts, 1);
  {
    const auto uploader = this->uploader();
    uploader->kept("abcdefg1");
    EXPECT_EQ(uploader->finish(10s).pending, 0u);
  }
  EXPECT_EQ(bucket_.puts, 1);
  keep("abcdefg1", "report.json", "three");
  const auto uploader = this->uploader();
  uploader->kept("abcdefg1");
  EXPECT_EQ(uploader->finish(10s).pending, 0u);
  EXPECT_EQ(text("p/fix-todos/abcdefg1/report.json"), "three");
}

TEST_F(ArtifactUploaderTest, WhatWasAnnouncedIsSentEvenIfNobodyLivedToSayItIsThere) {
  uploader()->will_keep("abcdefg1");
  EXPECT_EQ(bucket_.puts, 0);
  keep("abcdefg1", "report.json", "one");
  keep("abcdefg2", "report.json", "not announced");
  const auto later = uploader();
  later->start();
  EXPECT_EQ(later->finish(10s).pending, 0u);
  EXPECT_THAT(bucket_.keys(), ElementsAre("p/fix-todos/abcdefg1/report.json"));
}

TEST_F(ArtifactUploaderTest, TriesAgainWithGrowingWaits) {
  const UploadPace pace{1'000, 300'000, 0};
  EXPECT_EQ(wait_after(1, pace), 1'000);
  EXPECT_EQ(wait_after(2, pace), 2'000);
  EXPECT_EQ(wait_after(5, pace), 16'000);
  EXPECT_EQ(wait_after(10, pace), 300'000);
  EXPECT_EQ(wait_after(1'000'000, pace), 300'000);

  keep("abcdefg1", "report.json", "{}");
  bucket_.failures_left = 4;
  const auto uploader = this->uploader();
  uploader->kept("abcdefg1");
  for (int i = 0; i < 2'000 && bucket_.keys().empty(); ++i) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(bucket_.puts, 5);
  EXPECT_EQ(uploader->finish(10s).pending, 0u);
}

TEST_F(ArtifactUploaderTest, SaysWhatIsLeftWhenTheStoreIsDown) {
  keep("abcdefg1", "report.json", "{}");
  keep("abcdefg1", "runs/a.txt", "a");
  bucket_.failures_left = 1'000'000;
  const auto uploader = this->uploader({60'000, 60'000, 0});
  uploader->kept("abcdefg1");
  const auto began = std::chrono::steady_clock::now();
  const UploadState state = uploader->finish(30s);
  EXPECT_LT(std::chrono::steady_clock::now() - began, 20s)
      << "a store that answers that it is down is not waited for";
  EXPECT_EQ(state.pending, 2u);
  ASSERT_TRUE(state.problem);
  EXPECT_EQ(state.problem->message, "down");
}

TEST_F(ArtifactUploaderTest, WaitsNoLongerThanItIsTold) {
  keep("abcdefg1", "report.json", "{}");
  bucket_.stuck = true;
  const auto uploader = this->uploader();
  uploader->kept("abcdefg1");
  EXPECT_EQ(uploader->finish(100ms).pending, 1u);
  bucket_.stuck = false;
  EXPECT_THAT(bucket_.keys(), IsEmpty());
}

TEST_F(ArtifactUploaderTest, KeepingNeverWaitsForTheStore) {
  bucket_.stuck = true;
  const auto uploader = this->uploader();
  for (int i = 0; i < 200; ++i) {
    keep("abcdefg1", "runs/" + std::to_string(i) + ".txt", "x");
    uploader->kept("abcdefg1"); // would hang here
  }
  bucket_.stuck = false;
  EXPECT_EQ(uploader->finish(30s).pending, 0u);
  EXPECT_EQ(bucket_.keys().size(), 200u);
}

TEST_F(ArtifactUploaderTest, TheNextProgramSendsWhatThisOneCouldNot) {
  keep("abcdefg1", "report.json", "{}");
  bucket_.failures_left = 1'000'000;
  {
    const auto uploader = this->uploader();
    uploader->kept("abcdefg1");
    EXPECT_EQ(uploader->finish(10s).pending, 1u);
  }
  keep("abcdefg1", "runs/late.txt", "kept by a program that died before it could say so");
  bucket_.failures_left = 0;
  const auto next = uploader();
  next->start();
  EXPECT_EQ(next->finish(10s).pending, 0u);
  EXPECT_EQ(bucket_.keys().size(), 2u);
}

TEST_F(ArtifactUploaderTest, SessionsThatWereNeverMeantForAStoreStayHere) {
  keep("abcdefg1", "report.json", "{}");
  const auto uploader = this->uploader();
  uploader->start();
  EXPECT_EQ(uploader->finish(10s).pending, 0u);
  EXPECT_THAT(bucket_.keys(), IsEmpty());
}

TEST_F(ArtifactUploaderTest, MissingKeysAreSaidAndTriedAgain) {
  keep("abcdefg1", "report.json", "{}");
  no_keys_ = true;
  const auto uploader = this->uploader();
  uploader->kept("abcdefg1");
  const UploadState state = uploader->finish(10s);
  EXPECT_EQ(state.pending, 1u);
  ASSERT_TRUE(state.problem);
  EXPECT_EQ(state.problem->code, ErrorCode::auth);
  no_keys_ = false;
  uploader->kept("abcdefg1");
  EXPECT_EQ(uploader->finish(10s).pending, 0u);
}

TEST_F(ArtifactUploaderTest, OneThatIsRefusedDoesNotHoldUpTheOthers) {
  keep("abcdefg1", "runs/a.txt", "a");
  keep("abcdefg1", "runs/b.txt", "b");
  bucket_.refuses = "a.txt";
  const auto uploader = this->uploader();
  uploader->kept("abcdefg1");
  EXPECT_EQ(uploader->finish(10s).pending, 1u);
  EXPECT_THAT(bucket_.keys(), ElementsAre("p/fix-todos/abcdefg1/runs/b.txt"));
}

TEST_F(ArtifactUploaderTest, AFileThatIsStillWrittenToIsLeftForLater) {
  keep("abcdefg1", "runs/a.txt", "a");
  const auto uploader = this->uploader({10, 50, 3'600'000});
  uploader->kept("abcdefg1");
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(bucket_.puts, 0);
  EXPECT_EQ(uploader->finish(10s).pending, 0u) << "at the end nothing is written to any more";
}

TEST_F(ArtifactUploaderTest, ADamagedRecordOnlyMeansToSendAgain) {
  keep("abcdefg1", "report.json", "{}");
  keep("abcdefg1", "uploaded.jsonl",
       "\xff\n[]\n{\"to\":3}\n{\"to\":\"" + settings_.place() + "\"}\n{\"to\":\"" + settings_.place() +
           "\",\"name\":\"report.json\",\"si");
  const auto uploader = this->uploader();
  uploader->start();
  EXPECT_EQ(uploader->finish(10s).pending, 0u);
  EXPECT_EQ(bucket_.puts, 1);
  EXPECT_THAT(not_uploaded(home(), "abcdefg1", settings_.place()), IsEmpty())
      << "the line after the damaged one counts";
}

TEST_F(ArtifactUploaderTest, OnlyOldObjectsOfOurOwnShapeAreRemoved) {
  for (const char* key :
       {"p/fix-todos/abcdefg1/report.json", "p/fix-todos/abcdefg1/runs/a.txt",
        "p/fix-todos/abcdefg2/master_todo.json", // old and ours
        "p/fix-todos/readme.txt", "p/fix-todos/abcdefg1/notes.txt", "p/fix-todos/abcdefg1/runs/deeper/a.txt",
        "p/fix-todos/Not-A-Session/report.json", "p/other/abcdefg1/report.json",
        "p/fix-todosx/abcdefg1/report.json", "fix-todos/abcdefg1/report.json"}) {
    bucket_.objects[key] = "x";
    bucket_.times[key] = 1'000;
  }
  bucket_.objects["p/fix-todos/abcdefg3/report.json"] = "young";
  bucket_.times["p/fix-todos/abcdefg3/report.json"] = 5'000;
  bucket_.objects["p/fix-todos/abcdefg4/report.json"] = "of unknown age";
  MemoryStore store(bucket_);
  const auto dry = expire_remote(store, settings_, 5'000, true, {});
  ASSERT_TRUE(dry) << dry.error().message;
  EXPECT_EQ(dry->objects, 3u);
  EXPECT_EQ(bucket_.objects.size(), 12u);
  const auto done = expire_remote(store, settings_, 5'000, false, {});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->objects, 3u);
  EXPECT_THAT(bucket_.keys(),
              ElementsAre("fix-todos/abcdefg1/report.json", "p/fix-todos/Not-A-Session/report.json",
                          "p/fix-todos/abcdefg1/notes.txt", "p/fix-todos/abcdefg1/runs/deeper/a.txt",
                          "p/fix-todos/abcdefg3/report.json", "p/fix-todos/abcdefg4/report.json",
                          "p/fix-todos/readme.txt", "p/fix-todosx/abcdefg1/report.json",
                          "p/other/abcdefg1/report.json"));
}

TEST_F(ArtifactUploaderTest, OldObjectsGoOnceADayWhileItRuns) {
  settings_.retention_days = 10;
  bucket_.objects["p/fix-todos/abcdefg2/report.json"] = "old";
  bucket_.times["p/fix-todos/abcdefg2/report.json"] = clock_.wall_ms() - settings_.retention_ms() - 1'000;
  keep("abcdefg1", "report.json", "{}");
  {
    const auto uploader = this->uploader();
    uploader->kept("abcdefg1");
    EXPECT_EQ(uploader->finish(10s).pending, 0u);
  }
  EXPECT_THAT(bucket_.keys(), ElementsAre("p/fix-todos/abcdefg1/report.json"));
  bucket_.objects["p/fix-todos/abcdefg2/report.json"] = "old";
  const auto again = uploader();
  again->start();
  EXPECT_EQ(again->finish(10s).pending, 0u);
  EXPECT_EQ(bucket_.keys().size(), 2u) << "was done today already";
}

TEST_F(ArtifactUploaderTest, AListThatGoesInCirclesIsLeft) {
  class Circle final : public ObjectStore {
  public:
    Status put(const std::string&, std::string_view, std::stop_token) override { return {}; }
    Result<ObjectPage> list(const std::string&, const std::string&, std::stop_token) override {
      return ObjectPage{{}, "again"};
    }
    Status remove(const std::string&, std::stop_token) override { return {}; }
  } circle;
  EXPECT_FALSE(expire_remote(circle, settings_, 0, false, {}));
}

} // namespace emend
