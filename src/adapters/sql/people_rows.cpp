#include "adapters/sql/people_rows.hpp"

#include "adapters/sql/record_tables.hpp"

namespace emend {

namespace {

Status put_account(Database& database, const Account& account) {
  TRY_ASSIGN(const auto others,
             select(database, "select id from accounts where name = $1 and id <> $2",
                    {account.name, account.id}, [](RowReader& row) { return row.text(); }));
  if (!others.empty()) return fail(ErrorCode::conflict, "somebody is called " + account.name + " already");
  return put_row(database, account);
}

Status put_grant(Database& database, const GrantChange& change) {
  if (change.role) return put_row(database, Grant{change.account_id, change.repository_id, *change.role});
  TRY(run(database, "delete from grants where account_id = $1 and repository_id = $2",
          {change.account_id, change.repository_id}));
  return {};
}

} // namespace

Status write_people(Database& database, const Change& change) {
  if (change.accounts.empty() && change.tokens.empty() && change.grants.empty()) return {};
  for (const Account& account : change.accounts) TRY(put_account(database, account));
  for (const AccessToken& token : change.tokens) TRY(put_row(database, token));
  for (const GrantChange& grant : change.grants) TRY(put_grant(database, grant));
  TRY(run(database,
          "insert into directory_versions (one, version) values (1, 1) on conflict (one) do update set "
          "version = directory_versions.version + 1",
          {}));
  return {};
}

Result<std::int64_t> select_directory_version(Database& database) {
  TRY_ASSIGN(const auto found, select(database, "select version from directory_versions where one = 1", {},
                                      [](RowReader& row) { return row.integer(); }));
  return found.empty() ? 0 : found.front();
}

// The version is read first: what changes meanwhile is read again at the next look.
Result<Directory> select_directory(Database& database) {
  Directory directory;
  TRY_ASSIGN(directory.version, select_directory_version(database));
  TRY_ASSIGN(directory.accounts, select_rows<Account>(database, "1 = 1 order by n", {}));
  TRY_ASSIGN(directory.tokens, select_rows<AccessToken>(database, "1 = 1 order by n", {}));
  TRY_ASSIGN(directory.grants, select_rows<Grant>(database, "1 = 1 order by account_id, repository_id", {}));
  return directory;
}

} // namespace emend
