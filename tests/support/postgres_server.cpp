#include "tests/support/postgres_server.hpp"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace emend::testing_support {

namespace fs = std::filesystem;

namespace {

// Debian keeps each version in a folder of its own and puts none of them on the PATH.
fs::path programs() {
  fs::path best;
  int newest = 0;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", none)) {
    const int version = std::atoi(entry.path().filename().c_str());
    if (version <= newest || ::access((entry.path() / "bin" / "initdb").c_str(), X_OK) != 0) continue;
    newest = version;
    best = entry.path() / "bin";
  }
  return best;
}

// PostgreSQL refuses to run as root.
const passwd* other_user() {
  if (::geteuid() != 0) return nullptr;
  const passwd* user = ::getpwnam("postgres");
  return user != nullptr ? user : ::getpwnam("nobody");
}

// After a fork: becomes the program, as another user when this one is root, ended with its parent.
[[noreturn]] void become(const std::vector<std::string>& command, const std::string& log,
                         const passwd* user) {
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  if (user != nullptr &&
      (::setgroups(0, nullptr) != 0 || ::setgid(user->pw_gid) != 0 || ::setuid(user->pw_uid) != 0))
    ::_exit(126);
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  char path[] = "PATH=/usr/bin:/bin", locale[] = "LC_ALL=C.UTF-8";
  char* environment[] = {path, locale, nullptr};
  if (::chdir("/") == 0) ::execve(argv[0], argv.data(), environment);
  ::_exit(127);
}

pid_t start_program(const std::vector<std::string>& command, const std::string& log, const passwd* user) {
  const pid_t pid = ::fork();
  if (pid == 0) become(command, log, user);
  return pid;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Nothing here needs to outlive the machine, and /dev/shm may be small.
void configure(const fs::path& data, const std::string& sockets) {
  std::ofstream(data / "postgresql.auto.conf")
      << "listen_addresses = ''\nunix_socket_directories = '" << sockets << "'\n"
      << "unix_socket_permissions = 0777\nfsync = off\nfull_page_writes = off\nautovacuum = "
         "off\nshared_buffers = 16MB\n"
      << "dynamic_shared_memory_type = mmap\nhuge_pages = off\nmax_connections = 60\nmax_wal_senders = "
         "0\nwal_level = minimal\njit = off\n";
  std::ofstream(data / "pg_hba.conf") << "local all guarded scram-sha-256\nlocal all all trust\n";
}

// Waits for the test program to end, then ends the server and takes its files away.
[[noreturn]] void guard(int alive, const std::vector<std::string>& server, const std::string& directory,
                        const passwd* user) {
  const pid_t pid = start_program(server, directory + "/log", user);
  char byte = 0;
  while (::read(alive, &byte, 1) < 0 && errno == EINTR) {
  }
  ::kill(pid, SIGQUIT);
  ::waitpid(pid, nullptr, 0);
  std::error_code ignored;
  fs::remove_all(directory, ignored);
  ::_exit(0);
}

} // namespace

std::string PostgresServer::missing() {
  return programs().empty() ? "NOT TESTED: PostgreSQL is not installed (apt-get install postgresql)" : "";
}

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

PostgresServer::PostgresServer() {
  std::string name = (fs::temp_directory_path() / "emend-pg-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
  directory_ = name;
  sockets_ = directory_ + "/s";
  start();
}

PostgresServer::~PostgresServer() {
  ::close(alive_);
  ::waitpid(guardian_, nullptr, 0);
}

void PostgresServer::start() {
  const passwd* user = other_user();
  const fs::path bin = programs(), data = fs::path(directory_) / "data";
  for (const std::string& made : {directory_, sockets_, data.string()}) {
    fs::create_directory(made);
    if (user != nullptr && ::chown(made.c_str(), user->pw_uid, user->pw_gid) != 0)
      throw std::runtime_error("cannot give away " + made);
  }
  fs::permissions(data, fs::perms::owner_all);
  const pid_t made = start_program({(bin / "initdb").string(), "-D", data.string(), "-U", "emend",
                                    "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"},
                                   directory_ + "/log", user);
  int status = 0;
  ::waitpid(made, &status, 0);
  if (status != 0) throw std::runtime_error("initdb failed: " + text_of(directory_ + "/log"));
  configure(data, sockets_);

  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  guardian_ = ::fork();
  if (guardian_ == 0) {
    ::close(ends[1]);
    guard(ends[0], {(bin / "postgres").string(), "-D", data.string()}, directory_, user);
  }
  ::close(ends[0]);
  alive_ = ends[1];
  const std::string ping = address("postgres");
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (PQping(ping.c_str()) != PQPING_OK) {
    if (std::chrono::steady_clock::now() > deadline)
      throw std::runtime_error("the server does not start: " + text_of(directory_ + "/log"));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  (void)RawPostgres(ping).run("create role guarded login password 's3cret-pass'");
}

std::string PostgresServer::address(const std::string& database, const std::string& user,
                                    const std::string& password) const {
  return "postgresql://" + user + (password.empty() ? "" : ":" + password) + "@/" + database +
         "?host=" + sockets_;
}

std::string PostgresServer::new_database(const std::string& options) {
  const std::string name = "t" + std::to_string(++databases_);
  const std::string problem = RawPostgres(address("postgres")).run("create database " + name + " " + options);
  if (!problem.empty()) throw std::runtime_error(problem);
  return address(name);
}

RawPostgres::RawPostgres(const std::string& address) : connection_(PQconnectdb(address.c_str())) {
  EXPECT_EQ(PQstatus(connection_), CONNECTION_OK) << PQerrorMessage(connection_);
}

RawPostgres::~RawPostgres() { PQfinish(connection_); }

std::string RawPostgres::run(const std::string& sql) {
  PGresult* answer = PQexec(connection_, sql.c_str());
  const std::string problem = PQresultErrorMessage(answer);
  PQclear(answer);
  return problem;
}

std::vector<std::string> RawPostgres::read(const std::string& sql) {
  PGresult* answer = PQexec(connection_, sql.c_str());
  EXPECT_EQ(PQresultStatus(answer), PGRES_TUPLES_OK) << PQresultErrorMessage(answer);
  std::vector<std::string> rows;
  for (int i = 0; i < PQntuples(answer); ++i) rows.emplace_back(PQgetvalue(answer, i, 0));
  PQclear(answer);
  return rows;
}

} // namespace emend::testing_support
