// The edge with real sockets: what it lets in, what it sends, and who gets which events.
#include "http/http_server.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/files.hpp"

namespace emend {
namespace {

// Answers with what it was asked; keeps a log of events in memory.
class Echo : public HttpApplication {
public:
  std::optional<HttpResponse> refuse(const HttpRequest& head) override {
    if (head.header("authorization") == "no") return problem_response(401, "auth-required", "no");
    return std::nullopt;
  }
  std::uint64_t max_body(const HttpRequest&) override { return 1'000; }
  HttpReply answer(const HttpRequest& request) override {
    if (request.path_text() == "/throw") throw std::runtime_error("secret detail");
    if (request.path_text() == "/wait") {
      std::unique_lock lock(waiting_mutex);
      ++waiting;
      changed.notify_all();
      changed.wait(lock, [&] { return may_go; });
    }
    if (request.path_text() == "/source") {
      EventStream stream;
      stream.source = [this, told = 0]() mutable -> Result<StreamPart> {
        const int known = numbers;
        StreamPart part;
        if (told < known) part.frames = event_frame(++told, "n", "{}");
        part.ends = told == 5;
        if (known == 100) return fail(ErrorCode::io, "broken");
        return part;
      };
      return stream;
    }
    if (request.path_text() == "/events") {
      EventStream stream;
      stream.preface = event_frame(0, "session_snapshot", "{}");
      stream.session_id = request.query_value("session").value_or("");
      stream.ends_with_session = !stream.session_id.empty();
      if (const auto last = request.query_value("over")) stream.ends_after = std::stoll(std::string(*last));
      stream.after = std::stoll(std::string(request.query_value("after").value_or("0")));
      stream.allowed = [this] { return allowed.load(); };
      return stream;
    }
    return json_response(200, {{"method", request.method},
                               {"path", request.path_text()},
                               {"body", request.body},
                               {"local", request.local_socket}});
  }
  Result<std::vector<StreamEvent>> events(std::int64_t after, const std::string& session,
                                          std::size_t limit) override {
    const std::lock_guard lock(mutex);
    std::vector<StreamEvent> found;
    for (const StreamEvent& event : log)
      if (event.seq > after && (session.empty() || event.session_id == session) && found.size() < limit)
        found.push_back(event);
    return found;
  }
  Result<std::int64_t> newest_event() override {
    const std::lock_guard lock(mutex);
    return log.empty() ? 0 : log.back().seq;
  }
  void served(const HttpRequest&, int, double) override {}

  void add(const std::string& session, bool last = false, std::size_t size = 2) {
    const std::lock_guard lock(mutex);
    const std::int64_t seq = log.empty() ? 1 : log.back().seq + 1;
    log.push_back({seq, session, "e", std::string(size, 'x'), last});
  }

  void wait_for_waiting(int count) {
    std::unique_lock lock(waiting_mutex);
    changed.wait(lock, [&] { return waiting == count; });
  }
  void let_go() {
    const std::lock_guard lock(waiting_mutex);
    may_go = true;
    changed.notify_all();
  }

  std::mutex waiting_mutex;
  std::condition_variable changed;
  int waiting = 0;
  bool may_go = false;
  std::mutex mutex;
  std::vector<StreamEvent> log;
  std::atomic<bool> allowed{true};
  std::atomic<int> numbers{0};
};

class Client {
public:
  explicit Client(int port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  explicit Client(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { ::close(fd_); }

  void send(const std::string& bytes) {
    EXPECT_EQ(::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  // Until `mark` was read, or the other side closed, or nothing came for a long time.
  std::string read_until(const std::string& mark) {
    while (mark.empty() || seen_.find(mark) == std::string::npos) {
      pollfd ready{fd_, POLLIN, 0};
      if (::poll(&ready, 1, 20'000) <= 0) return seen_ + "<<nothing came>>";
      char buffer[4096];
      const ssize_t got = ::recv(fd_, buffer, sizeof buffer, 0);
      if (got <= 0) break;
      seen_.append(buffer, static_cast<std::size_t>(got));
    }
    return std::exchange(seen_, {});
  }
  std::string read_to_end() { return read_until(""); }

private:
  int fd_;
  std::string seen_;
};

std::string get(const std::string& target) { return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n"; }

struct Running {
  explicit Running(HttpOptions options = {}) : server(echo, std::move(options)) {
    const Status started = server.start();
    EXPECT_TRUE(started) << started.error().message;
  }
  Echo echo;
  HttpServer server;
};

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(HttpServerTest, AnswersSeveralRequestsOnOneConnectionAlsoWhenTheyComeTogether) {
  Running running;
  Client client(running.server.port());
  client.send(get("/a"));
  EXPECT_THAT(client.read_until("\"/a\""), StartsWith("HTTP/1.1 200 OK\r\n"));
  client.send("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello" + get("/c") +
              "GET /d HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string rest = client.read_to_end();
  EXPECT_THAT(rest, HasSubstr("\"body\":\"hello\""));
  EXPECT_LT(rest.find("\"/b\""), rest.find("\"/c\""));
  EXPECT_LT(rest.find("\"/c\""), rest.find("\"/d\""));
}

TEST(HttpServerTest, SendsTheProtectiveHeadersOnEveryAnswer) {
  Running running;
  for (const std::string& request :
       {get("/a"), get("/../x"), std::string("GET /a HTTP/1.1\r\nHost: x\r\nAuthorization: no\r\n\r\n"),
        get("/throw")}) {
    Client client(running.server.port());
    client.send(request);
    const std::string answer = client.read_until("\r\n\r\n");
    for (const char* part : {"Cache-Control: no-store", "X-Content-Type-Options: nosniff",
                             "Content-Security-Policy: default-src 'none'", "frame-ancestors 'none'",
                             "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin",
                             "Emend-Api-Version: 1"})
      EXPECT_THAT(answer, HasSubstr(part)) << request;
    EXPECT_THAT(answer, Not(HasSubstr("Access-Control")));
  }
}

TEST(HttpServerTest, ClosesAfterWhatItCannotRead) {
  Running running;
  for (const char* bytes :
       {"GET / HTTP/1.1\nHost: x\n\n", "nonsense\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"}) {
    Client client(running.server.port());
    client.send(bytes);
    const std::string answer = client.read_to_end();
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 ")) << bytes;
    EXPECT_THAT(answer, HasSubstr("Connection: close")) << bytes;
    EXPECT_EQ(answer.find("HTTP/1.1", 8), std::string::npos) << "one answer, not two: " << bytes;
  }
  EXPECT_EQ(running.server.counters().refused, 4u);
}

TEST(HttpServerTest, RefusesLongHeadsAndBodies) {
  Running running;
  const auto answer_to = [&](const std::string& bytes) {
    Client client(running.server.port());
    client.send(bytes);
    return client.read_to_end();
  };
  EXPECT_THAT(answer_to("GET /" + std::string(10'000, 'a')), StartsWith("HTTP/1.1 414"));
  EXPECT_THAT(answer_to("GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(40'000, 'a')),
              StartsWith("HTTP/1.1 431"));
  EXPECT_THAT(answer_to("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n"),
              StartsWith("HTTP/1.1 413"));
}

TEST(HttpServerTest, DoesNotWaitForEverForSlowSenders) {
  HttpOptions options;
  options.head_ms = options.body_ms = options.idle_ms = 100;
  Running running(options);
  for (const char* begun : {"", "GET / HT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe"}) {
    Client client(running.server.port());
    if (*begun != 0) client.send(begun);
    EXPECT_EQ(client.read_to_end(), "") << begun; // closed
  }
}

std::string post(const std::string& headers, const std::string& body = "") {
  return "POST /b HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n" + body;
}

TEST(HttpServerTest, TakesChunkedBodiesAndGoesOnWithTheNextRequest) {
  Running running;
  Client client(running.server.port());
  client.send(post("Transfer-Encoding: chunked\r\n", "5\r\nhel"));
  client.send("lo\r\n6;x=y\r\n, you!\r\n0\r\nX: y\r\n\r\n" + get("/c"));
  const std::string answers = client.read_until("\"/c\"");
  EXPECT_THAT(answers, StartsWith("HTTP/1.1 200 OK"));
  EXPECT_THAT(answers, HasSubstr("\"body\":\"hello, you!\""));
}

TEST(HttpServerTest, RefusesAChunkedBodyThatIsTooLongOrBroken) {
  Running running;
  const auto answer_to = [&](const std::string& body) {
    Client client(running.server.port());
    client.send(post("Transfer-Encoding: chunked\r\n", body));
    return client.read_to_end();
  };
  EXPECT_THAT(answer_to("3e9\r\n"), StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(answer_to("1f4\r\n" + std::string(500, 'a') + "\r\n1f5\r\n"), StartsWith("HTTP/1.1 413"));
  const std::string broken = answer_to("5\r\nhello0\r\n\r\n" + get("/inner"));
  EXPECT_THAT(broken, StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(broken, Not(HasSubstr("/inner")));
  EXPECT_THAT(broken, HasSubstr("Connection: close"));
}

TEST(HttpServerTest, AsksForABodyOnlyWhenTheHeadIsGood) {
  Running running;
  {
    Client client(running.server.port());
    client.send(post("Content-Length: 5\r\nExpect: 100-continue\r\n"));
    EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("hello");
    EXPECT_THAT(client.read_until("}\n"), HasSubstr("\"body\":\"hello\""));
    client.send(post("Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n"));
    EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("2\r\nhi\r\n0\r\n\r\n");
    EXPECT_THAT(client.read_until("}\n"), HasSubstr("\"body\":\"hi\""));
    client.send(
        post("Content-Length: 5\r\nExpect: 100-continue\r\n", "hello")); // which came without being asked for
    EXPECT_THAT(client.read_until("}"), Not(HasSubstr("100 Continue")));
  }
  for (const char* refused : {"Authorization: no\r\nContent-Length: 5\r\n", "Content-Length: 1001\r\n",
                              "Authorization: no\r\nTransfer-Encoding: chunked\r\n"}) {
    Client client(running.server.port());
    client.send(post(std::string(refused) + "Expect: 100-continue\r\n"));
    const std::string answer = client.read_to_end();
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 4")) << refused;
    EXPECT_THAT(answer, Not(HasSubstr("100 Continue"))) << refused;
  }
}

// Without reading on, the kernel would reset the connection and the answer would be lost.
TEST(HttpServerTest, LetsASenderSeeWhyItsLongBodyIsRefused) {
  Running running;
  Client client(running.server.port());
  client.send(post("Content-Length: 8000000\r\n", std::string(8'000'000, 'a')));
  EXPECT_THAT(client.read_to_end(), StartsWith("HTTP/1.1 413"));
}

TEST(HttpServerTest, GivesABodyThatKeepsComingMoreTimeThanOneThatTrickles) {
  HttpOptions options;
  options.body_ms = 200;
  options.body_bytes_per_second = 100; // so 100 bytes are worth a second
  Running running(options);
  Client steady(running.server.port()), trickle(running.server.port());
  steady.send(post("Content-Length: 1000\r\n", std::string(990, 'a')));
  trickle.send(post("Content-Length: 1000\r\n", "a"));
  EXPECT_EQ(trickle.read_to_end(), "") << "closed without an answer";
  steady.send(std::string(10, 'a'));
  EXPECT_THAT(steady.read_until("}"), StartsWith("HTTP/1.1 200"));
}

TEST(HttpConnectionsTest, ClosesTheLongestIdleOneForANewOne) {
  HttpOptions options;
  options.max_connections = 4;
  Running running(options);
  const int port = running.server.port();
  Client stream(port);
  stream.send(get("/events"));
  EXPECT_THAT(stream.read_until("snapshot"), HasSubstr("200 OK"));
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 4; ++i) {
    idle.push_back(std::make_unique<Client>(port));
    idle.back()->send(get("/a"));
    EXPECT_THAT(idle.back()->read_until("}\n"), StartsWith("HTTP/1.1 200"));
  }
  std::vector<std::unique_ptr<Client>> late;
  for (std::size_t i = 0; i < 3; ++i) { // each takes the place of the one that has waited longest
    late.push_back(std::make_unique<Client>(port));
    late.back()->send(get("/late"));
    EXPECT_THAT(late.back()->read_until("}\n"), StartsWith("HTTP/1.1 200"));
    EXPECT_EQ(idle[i]->read_to_end(), "") << i;
  }
  idle[3]->send(get("/still"));
  EXPECT_THAT(idle[3]->read_until("}"), HasSubstr("/still"));
  EXPECT_EQ(running.server.counters().connections_closed_for_others, 3u);
  running.echo.add("s");
  running.server.ring();
  EXPECT_THAT(stream.read_until("id: 1\n"), HasSubstr("id: 1\n")) << "streams are counted apart";
}

// Half a head, a body that does not come, an answer nobody reads: none of them keeps others out.
TEST(HttpConnectionsTest, LetsNobodyLockTheOthersOut) {
  HttpOptions options;
  options.max_connections = 8;
  options.stall_ms = 0;
  options.idle_ms = options.head_ms = options.body_ms = options.write_ms =
      600'000; // they would stay for ever
  Running running(options);
  const int port = running.server.port();
  for (const std::string& begun :
       {std::string(), std::string("GET / HT"), post("Content-Length: 900\r\n", "h"),
        post("Transfer-Encoding: chunked\r\n", "5\r\nh")}) {
    std::vector<std::unique_ptr<Client>> crowd;
    for (int i = 0; i < 40; ++i) {
      crowd.push_back(std::make_unique<Client>(port));
      if (!begun.empty()) crowd.back()->send(begun);
    }
    Client person(port);
    person.send(get("/a"));
    EXPECT_THAT(person.read_until("}"), StartsWith("HTTP/1.1 200")) << begun;
    EXPECT_LE(running.server.counters().connections_open, 8u);
  }
}

TEST(HttpConnectionsTest, CountsEachPeerAndSaysWhenThereIsNoRoom) {
  const auto directory = TemporaryDirectory::create(fs::temp_directory_path(), "emend-http-");
  HttpOptions options;
  options.max_connections = 3;
  options.max_connections_per_peer = 2;
  options.workers = 8;
  options.unix_socket = (directory->path() / "s").string();
  Running running(options);
  Client first(running.server.port()), second(running.server.port());
  Client local(options.unix_socket);
  for (Client* client : {&local, &first, &second}) {
    client->send(get("/a"));
    EXPECT_THAT(client->read_until("}\n"), StartsWith("HTTP/1.1 200"));
  }
  Client third(running.server.port()); // its own address has two already: the first of them goes, although
                                       // the other peer waits longer
  third.send(get("/a"));
  EXPECT_THAT(third.read_until("}\n"), StartsWith("HTTP/1.1 200"));
  EXPECT_EQ(first.read_to_end(), "");
  for (Client* client : {&second, &third}) client->send(get("/wait"));
  running.echo.wait_for_waiting(2);
  Client fourth(running.server.port()); // both are being answered
  const std::string full = fourth.read_to_end();
  EXPECT_THAT(full, StartsWith("HTTP/1.1 503"));
  EXPECT_THAT(full, HasSubstr("too-many-connections"));
  EXPECT_THAT(full, HasSubstr("Retry-After: "));
  local.send(get("/b"));
  EXPECT_THAT(local.read_until("}"), StartsWith("HTTP/1.1 200"));
  running.echo.let_go();
  for (Client* client : {&second, &third}) EXPECT_THAT(client->read_until("}"), StartsWith("HTTP/1.1 200"));
}

TEST(HttpServerTest, TellsNobodyWhatBroke) {
  Running running;
  Client client(running.server.port());
  client.send(get("/throw"));
  const std::string answer = client.read_until("}");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 500"));
  EXPECT_THAT(answer, Not(HasSubstr("secret detail")));
}

TEST(HttpServerTest, ListensOnASocketFileOnlyItsOwnerMayUse) {
  const auto directory = TemporaryDirectory::create(fs::temp_directory_path(), "emend-http-");
  HttpOptions options;
  options.tcp = false;
  options.unix_socket = (directory->path() / "s").string();
  Running running(options);
  struct stat info {};
  ASSERT_EQ(::stat(options.unix_socket.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  Client client(options.unix_socket);
  client.send(get("/a"));
  EXPECT_THAT(client.read_until("}"), HasSubstr("\"local\":true"));
  HttpServer second(running.echo, options);
  const Status refused = second.start();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
}

TEST(HttpStreamTest, SendsTheSnapshotThenWhatWasMissedThenWhatHappens) {
  Running running;
  for (int i = 0; i < 3; ++i) running.echo.add("s");
  Client client(running.server.port());
  client.send(get("/events?after=1"));
  const std::string begin = client.read_until("id: 3");
  EXPECT_THAT(begin, HasSubstr("Content-Type: text/event-stream"));
  EXPECT_LT(begin.find("session_snapshot"), begin.find("id: 2\n"));
  EXPECT_THAT(begin, Not(HasSubstr("id: 1\n")));
  running.echo.add("s");
  running.server.ring();
  EXPECT_THAT(client.read_until("id: 4\n"), Not(HasSubstr("id: 3\nevent")));
}

TEST(HttpStreamTest, SeesWhatOthersWroteWithoutBeingTold) {
  HttpOptions options;
  options.poll_ms = 10;
  Running running(options);
  Client client(running.server.port());
  client.send(get("/events"));
  EXPECT_THAT(client.read_until("snapshot"), HasSubstr("snapshot"));
  running.echo.add("s");
  EXPECT_THAT(client.read_until("id: 1\n"), HasSubstr("id: 1\n"));
}

TEST(HttpStreamTest, EndsWithItsSession) {
  Running running;
  running.echo.add("s");
  Client live(running.server.port()), late(running.server.port());
  live.send(get("/events?session=s"));
  EXPECT_THAT(live.read_until("id: 1\n"), HasSubstr("id: 1\n"));
  running.echo.add("other");
  running.echo.add("s", true);
  running.server.ring();
  const std::string end = live.read_to_end();
  EXPECT_THAT(end, HasSubstr("id: 3\n"));
  EXPECT_THAT(end, Not(HasSubstr("id: 2\n")));
  EXPECT_THAT(end, HasSubstr("event: stream_end\n"));
  late.send(get("/events?session=s&after=1"));
  EXPECT_THAT(late.read_to_end(), HasSubstr("event: stream_end\n"));
}

// Whoever is behind what is kept in memory is served from the log, in order, each event once.
TEST(HttpStreamTest, LosesAndRepeatsNothingForReadersThatAreFarBehind) {
  HttpOptions options;
  options.recent_bytes = 2'000;
  Running running(options);
  for (int i = 0; i < 1'500; ++i) running.echo.add("s", false, 100);
  Client client(running.server.port());
  client.send(get("/events"));
  std::thread writer([&] {
    for (int i = 0; i < 1'500; ++i) {
      running.echo.add("s", false, 100);
      running.server.ring();
    }
  });
  const std::string all = client.read_until("id: 3000\n");
  writer.join();
  std::int64_t expected = 1;
  for (std::size_t at = all.find("\nid: "); at != std::string::npos;
       at = all.find("\nid: ", at + 1), ++expected)
    ASSERT_EQ(std::stoll(all.substr(at + 5, 10)), expected);
  EXPECT_EQ(expected, 3'001);
}

TEST(HttpStreamTest, EvictsAReaderThatDoesNotReadAndLetsItResume) {
  HttpOptions options;
  options.write_ms = 100;
  Running running(options);
  Client stuck(running.server.port());
  stuck.send(get("/events"));
  EXPECT_THAT(stuck.read_until("snapshot"), HasSubstr("snapshot"));
  for (int i = 0; i < 400; ++i) running.echo.add("s", false, 100'000);
  running.server.ring();
  while (running.server.counters().evicted == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(running.server.counters().streams_open, 0u);
  Client again(running.server.port());
  again.send(get("/events?after=399"));
  EXPECT_THAT(again.read_until("id: 400\n"), HasSubstr("id: 400\n"));
}

// Left to itself the kernel holds megabytes for each such reader, outside of every limit of ours.
TEST(HttpStreamTest, LetsLittlePileUpForAReaderThatDoesNotRead) {
  HttpOptions options;
  options.write_ms = 100;
  Running running(options);
  Client stuck(running.server.port());
  stuck.send(get("/events"));
  EXPECT_THAT(stuck.read_until("snapshot"), HasSubstr("snapshot"));
  for (int i = 0; i < 10; ++i) running.echo.add("s", false, 100'000);
  running.server.ring();
  for (int i = 0; i < 2'000 && running.server.counters().evicted == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(running.server.counters().evicted, 1u);
}

TEST(HttpServerTest, MakesRoomForItsStreamsAmongTheDescriptors) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 256;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  HttpOptions options;
  options.max_streams = 300;
  {
    Running running(options);
    rlimit now{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &now), 0);
    EXPECT_GE(now.rlim_cur, std::min<rlim_t>(before.rlim_max, 300 + 256));
  }
  ::setrlimit(RLIMIT_NOFILE, &before);
}

// A number of connections that the machine cannot have would switch the closing of idle ones off.
TEST(HttpServerTest, ServesOnWhenThereAreFewerDescriptorsThanConnectionsAllowed) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  if (before.rlim_max == RLIM_INFINITY) GTEST_SKIP() << "there is no limit here";
  HttpOptions options;
  options.max_connections = before.rlim_max + 1'000;
  Running running(options);
  Client client(running.server.port());
  client.send(get("/a"));
  EXPECT_THAT(client.read_until("}"), StartsWith("HTTP/1.1 200"));
  EXPECT_LT(running.server.options().max_connections, before.rlim_max);
  EXPECT_GE(running.server.options().max_streams, 1u);
  ::setrlimit(RLIMIT_NOFILE, &before);
}

TEST(HttpStreamTest, KeepsQuietStreamsAliveAndClosesThoseNoLongerAllowed) {
  HttpOptions options;
  options.heartbeat_ms = 20;
  Running running(options);
  Client client(running.server.port());
  client.send(get("/events"));
  EXPECT_THAT(client.read_until(": hb\n\n"), HasSubstr(": hb\n\n"));
  running.echo.allowed = false;
  EXPECT_THAT(client.read_to_end(), Not(HasSubstr("<<nothing came>>")));
}

// More than have their turn at once, and some leave in between.
TEST(HttpStreamTest, ManyReadersHaveEveryEventOnceAndInOrder) {
  constexpr int kReaders = 1'100;
  HttpOptions options;
  options.max_streams = options.max_connections = kReaders;
  Running running(options);
  std::vector<std::unique_ptr<Client>> readers;
  for (int i = 0; i < kReaders; ++i) {
    readers.push_back(std::make_unique<Client>(running.server.port()));
    readers.back()->send(get("/events"));
    EXPECT_THAT(readers.back()->read_until("snapshot"), HasSubstr("200 OK"));
  }
  for (int i = 0; i < 3; ++i) {
    running.echo.add("s");
    running.server.ring();
    for (int leaves = 0; leaves < 7; ++leaves) readers[static_cast<std::size_t>(leaves * 157)].reset();
    EXPECT_THAT(readers[1]->read_until("id: " + std::to_string(i + 1)), HasSubstr("id: "));
  }
  running.echo.add("s", true);
  running.server.ring();
  for (std::size_t i = 0; i < readers.size(); ++i) {
    if (!readers[i] || i == 1) continue;
    const std::string all = readers[i]->read_until("id: 4\n");
    std::size_t from = 0;
    for (int id = 1; id <= 4; ++id) {
      const std::string line = "id: " + std::to_string(id) + "\n";
      const std::size_t at = all.find(line, from);
      ASSERT_NE(at, std::string::npos) << i << ": " << all;
      ASSERT_EQ(all.find(line, at + 1), std::string::npos) << i << ": " << all;
      from = at;
    }
  }
}

TEST(HttpStreamTest, EndsAtOnceWhenItsCredentialDoes) {
  Running running;
  Client client(running.server.port());
  client.send(get("/events"));
  EXPECT_THAT(client.read_until("session_snapshot"), HasSubstr("text/event-stream"));
  running.server.recheck();
  running.echo.allowed = false;
  running.server.recheck();
  EXPECT_THAT(client.read_to_end(), Not(HasSubstr("<<nothing came>>")));
}

// The log is all there will be: from the recent frames and from far behind.
TEST(HttpStreamTest, EndsWhenItHasCaughtUpWithSomethingThatIsOver) {
  Echo echo;
  echo.add("s");
  echo.add("s");
  HttpServer server(echo, {});
  ASSERT_TRUE(server.start());
  for (const std::string from : {"0", "1", "2"}) {
    Client client(server.port());
    client.send(get("/events?session=s&over=2&after=" + from));
    const std::string all = client.read_to_end();
    EXPECT_THAT(all, HasSubstr("event: stream_end")) << from;
    EXPECT_EQ(all.find("id: 2") != std::string::npos, from != "2");
  }
}

TEST(HttpStreamTest, AsksASourceOfItsOwnUntilItEnds) {
  HttpOptions options;
  options.poll_ms = 10;
  options.heartbeat_ms = 30;
  Running running(options);
  running.echo.numbers = 2;
  Client client(running.server.port());
  client.send(get("/source"));
  EXPECT_THAT(client.read_until("id: 2\n"), HasSubstr("id: 1\n"));
  EXPECT_THAT(client.read_until(": hb"), HasSubstr(": hb"));
  running.echo.numbers = 5;
  const std::string rest = client.read_to_end();
  EXPECT_LT(rest.find("id: 5\n"), rest.find("event: stream_end"));
  EXPECT_THAT(rest, Not(HasSubstr("id: 2\n")));
  running.echo.numbers = 0;
  Client second(running.server.port());
  second.send(get("/source"));
  EXPECT_THAT(second.read_until("retry"), HasSubstr("200"));
  running.echo.numbers = 100;
  EXPECT_THAT(second.read_to_end(), Not(HasSubstr("stream_end"))) << "it did not end: it broke";
}

TEST(HttpStreamTest, IsNotBegunForAHead) {
  Running running;
  Client client(running.server.port());
  client.send("HEAD /events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string all = client.read_to_end();
  EXPECT_THAT(all, HasSubstr("text/event-stream"));
  EXPECT_THAT(all, Not(HasSubstr("session_snapshot")));
  EXPECT_EQ(running.server.counters().streams_total, 0U);
}

TEST(HttpStreamTest, HasALimitAndSaysSo) {
  HttpOptions options;
  options.max_streams = 1;
  Running running(options);
  Client first(running.server.port()), second(running.server.port());
  first.send(get("/events"));
  EXPECT_THAT(first.read_until("snapshot"), HasSubstr("200 OK"));
  second.send(get("/events"));
  const std::string answer = second.read_until("}");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 429"));
  EXPECT_THAT(answer, HasSubstr("Retry-After: "));
}

TEST(HttpServerTest, StopsWithStreamsOpen) {
  auto running = std::make_unique<Running>();
  Client client(running->server.port());
  client.send(get("/events"));
  EXPECT_THAT(client.read_until("snapshot"), HasSubstr("snapshot"));
  running->server.stop();
  EXPECT_THAT(client.read_to_end(), HasSubstr("the server is stopping"));
}

} // namespace
} // namespace emend
