// Records as rows, from one list: `columns` names a record's table and each of its columns once, and the same
// list inserts and reads them.
//
//   template <typename Visitor, Of<Comment> Record>
//   void columns(Visitor& visit, Record& comment) {
//     visit.table("comments");
//     visit("id", comment.id);
//   }
//   put_row(database, comment);
//   select_rows<Comment>(database, "id = $1", {id});
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "adapters/sql/database.hpp"
#include "base/strings.hpp"
#include "model/json_fields.hpp"

namespace emend {

// The texts a table's statements are made of.
class RowSql {
public:
  // key: a row with the same key is replaced. rule: what to do instead, as SQL.
  void table(const char* name, const char* key = "", const char* rule = "") {
    name_ = name;
    key_ = key;
    rule_ = rule;
  }
  template <typename... Reading>
  void operator()(const char* column, const Reading&...) {
    read_.emplace_back(column);
    written_.emplace_back(column);
  }
  void reference(const char* column, const std::string&) { (*this)(column); }
  void copy(const char* column, const Value&) { written_.emplace_back(column); }
  template <typename... Reading>
  void given(const char* column, const Reading&...) {
    read_.emplace_back(column);
  }
  template <typename Record>
  void document(const char* column, const Record&, Record (*)(const Json&)) {
    (*this)(column);
  }

  [[nodiscard]] std::string columns() const { return join(read_, ", "); }
  [[nodiscard]] std::string select() const { return "select " + columns() + " from " + name_; }
  [[nodiscard]] std::string put() const {
    const std::string written = join(written_, ", ");
    return key_.empty() ? insert_sql(name_, written) + rule_ : upsert_sql(name_, written, key_);
  }

private:
  std::string name_, key_, rule_;
  std::vector<std::string> read_, written_;
};

class RowWriter {
public:
  void table(const char*, const char* = "", const char* = "") {}
  void operator()(const char*, const std::string& text) { values_.emplace_back(text); }
  void operator()(const char*, std::integral auto number) { values_.emplace_back(std::int64_t{number}); }
  void operator()(const char*, const std::vector<std::string>& texts) {
    values_.emplace_back(strings_to_text(texts));
  }
  void operator()(const char*, const Json& json) { values_.emplace_back(dump_json(json)); }
  // A word of a closed set, or a record kept as JSON.
  template <typename T, typename Read>
  void operator()(const char*, const T& value, const Read&) {
    if constexpr (std::is_enum_v<T>)
      values_.emplace_back(std::string(to_string(value)));
    else
      values_.emplace_back(dump_json(to_json(value)));
  }
  // May be empty, which is stored as null, so that foreign keys hold for the others.
  void reference(const char*, const std::string& text) { values_.push_back(or_null(text)); }
  // Written so that SQL can look for it; read from the document.
  void copy(const char*, const Value& value) { values_.push_back(value); }
  // The database's own: read, never written with the record.
  template <typename... Reading>
  void given(const char*, const Reading&...) {}
  // The whole record as JSON.
  template <typename Record>
  void document(const char*, const Record& record, Record (*)(const Json&)) {
    values_.emplace_back(dump_json(to_json(record)));
  }

  [[nodiscard]] Values take() { return std::move(values_); }

private:
  Values values_;
};

class RowFields {
public:
  explicit RowFields(RowReader& row) : row_(row) {}

  void table(const char*, const char* = "", const char* = "") {}
  void operator()(const char*, std::string& text) { text = row_.text(); }
  void operator()(const char*, std::int64_t& number) { number = row_.integer(); }
  void operator()(const char*, int& number) { number = row_.small(); }
  void operator()(const char*, bool& flag) { flag = row_.flag(); }
  void operator()(const char*, std::vector<std::string>& texts) { texts = row_.strings(); }
  void operator()(const char*, Json& json) { json = row_.json(); }
  template <typename T, typename Read>
  void operator()(const char*, T& value, const Read& read) {
    if constexpr (std::is_enum_v<T>)
      value = row_.word(read);
    else
      value = read(row_.json());
  }
  void reference(const char*, std::string& text) { text = row_.text(); }
  void copy(const char*, const Value&) {}
  template <typename... Reading>
  void given(const char* column, Reading&&... reading) {
    (*this)(column, std::forward<Reading>(reading)...);
  }
  template <typename Record>
  void document(const char*, Record& record, Record (*read)(const Json&)) {
    record = read(row_.json());
  }

private:
  RowReader& row_;
};

template <typename Record>
[[nodiscard]] const RowSql& row_sql() {
  static const RowSql sql = [] {
    RowSql made;
    const Record record{};
    columns(made, record);
    return made;
  }();
  return sql;
}

template <typename Record>
[[nodiscard]] Values row_values(const Record& record) {
  RowWriter writer;
  columns(writer, record);
  return writer.take();
}

template <typename Record>
[[nodiscard]] Record read_row(RowReader& row) {
  Record record;
  RowFields fields_of_row(row);
  columns(fields_of_row, record);
  return record;
}

template <typename Record>
[[nodiscard]] Status put_row(Database& database, const Record& record) {
  static const std::string sql = row_sql<Record>().put();
  TRY(run(database, sql, row_values(record)));
  return {};
}

// where: a condition, and what may follow it: "session_id = $1 order by n".
template <typename Record>
[[nodiscard]] Result<std::vector<Record>> select_rows(Database& database, const std::string& where,
                                                      const Values& values) {
  return select(database, row_sql<Record>().select() + " where " + where, values, read_row<Record>);
}

} // namespace emend
