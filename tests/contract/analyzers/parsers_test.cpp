// What the parsers make of outputs in the tools' formats, and that no damage to such an output is taken for a
// clean result.
#include <gmock/gmock.h>

#include <functional>

#include "adapters/analyzers/codespell.hpp"
#include "formats/reader.hpp"
#include "tests/contract/analyzers/analyzers_fixture.hpp"
#include "tests/contract/analyzers/samples.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ParserTest : public AnalyzerTest {
protected:
  ParserTest() : samples_(samples(tree_)), view_(request_) {
    for (const auto& [file, bytes] : samples_.files) write(file, bytes);
  }
  [[nodiscard]] std::string fixed(const Finding& finding) const {
    if (!finding.fixit) return "no fix-it";
    return apply_edits(samples_.files.at(finding.file), finding.file, finding.fixit->edits)
        .value_or("does not apply");
  }

  [[nodiscard]] static Result<ToolOutput> read_as(const std::string& tool, std::string_view text,
                                                  SourceTree& tree) {
    return read_report(known_analyzer(tool), std::string(text), tree);
  }
  [[nodiscard]] Result<ToolOutput> read_as(const std::string& tool, std::string_view text) {
    return read_as(tool, text, view_);
  }

  Samples samples_;
  SourceTree view_;
};

// Everything a finding decides by; who imported it and how its end is filled up may differ.
std::string essence(const Finding& f) {
  const Json fixit = f.fixit ? to_json(f)["fixit"] : Json();
  return dump_json(Json{{"file", f.file},
                        {"line", f.line},
                        {"column", f.column},
                        {"severity", to_string(f.severity)},
                        {"category", f.category},
                        {"rule", f.rule},
                        {"title", f.title},
                        {"description", f.description},
                        {"suggestion", f.suggestion},
                        {"fixit", fixit}});
}

TEST_F(ParserTest, ImportReadsAReportAsAReviewDoes) {
  const std::map<std::string, std::string> reports = {{"shellcheck", samples_.shellcheck},
                                                      {"eslint", samples_.eslint},
                                                      {"ruff", samples_.ruff},
                                                      {"flake8", samples_.flake8},
                                                      {"pyflakes", samples_.pyflakes},
                                                      {"clang-tidy", samples_.clang_tidy},
                                                      {"cppcheck", samples_.cppcheck},
                                                      {"biome", samples_.biome},
                                                      {"codespell", samples_.codespell}};
  const ReadFile content_of = [&](const std::string& file) -> std::optional<std::string> {
    const auto found = samples_.files.find(file);
    return found == samples_.files.end() ? std::nullopt : std::optional(found->second);
  };
  for (const auto& [name, report] : reports) {
    const KnownAnalyzer& tool = known_analyzer(name);
    const auto reviewed = read_as(name, report);
    const auto format = parse_input_format(tool.report);
    ASSERT_TRUE(reviewed && format) << name;
    const auto imported = read_findings(report, *format, "", tree_.string(), content_of);
    ASSERT_TRUE(imported) << name << ": " << imported.error().message;
    std::vector<std::string> in_review, in_import;
    for (const Finding& finding : reviewed->findings) in_review.push_back(essence(finding));
    for (const Finding& finding : imported->findings)
      if (finding.annotations.empty()) in_import.push_back(essence(finding)); // not outside of the tree
    EXPECT_EQ(in_review, in_import) << name;
    EXPECT_FALSE(in_review.empty()) << name;
  }
}

TEST_F(ParserTest, Shellcheck) {
  const ToolOutput output = read_as("shellcheck", samples_.shellcheck).value();
  ASSERT_THAT(rules_of(output.findings), ElementsAre("SC2086", "SC2006", "SC1000"));
  const Finding& quote = output.findings[0];
  EXPECT_EQ(quote.file, "a.sh");
  EXPECT_EQ(quote.line, 2);
  EXPECT_EQ(quote.column, 10) << "columns are bytes: one character before it has two";
  EXPECT_EQ(quote.column_end, 12);
  EXPECT_EQ(quote.severity, Severity::low);
  EXPECT_THAT(quote.found_by, ElementsAre("shellcheck"));
  EXPECT_FALSE(quote.fixit->safe);
  EXPECT_EQ(fixed(quote), "#!/bin/sh\n\techo \xC3\xA9 \"$1\"\nx=`ls`\n");
  EXPECT_TRUE(output.findings[1].fixit->safe);
  EXPECT_EQ(fixed(output.findings[1]), "#!/bin/sh\n\techo \xC3\xA9 $1\nx=$(ls)\n");
  EXPECT_EQ(output.findings[2].severity, Severity::medium) << "its errors are what it is sure of";
  EXPECT_FALSE(output.findings[2].fixit);
}

TEST_F(ParserTest, Codespell) {
  const ToolOutput output = read_as("codespell", samples_.codespell).value();
  ASSERT_THAT(rules_of(output.findings),
              ElementsAre("codespell/teh", "codespell/teh", "codespell/wich", "codespell/clas"));
  EXPECT_EQ(output.findings[0].column, 1);
  EXPECT_EQ(output.findings[1].column, 10) << "the second occurrence on the line";
  EXPECT_EQ(fixed(output.findings[1]), "teh t\xC3\xA9h the\nwich clas\n");
  EXPECT_FALSE(output.findings[2].fixit) << "two candidates";
  EXPECT_FALSE(output.findings[3].fixit) << "a candidate with a warning";
}

class SpellingsTest : public ParserTest {
protected:
  // The word "seperate" on these lines ("a.md:1"): "safe", else why not.
  std::vector<std::string> judged(const std::vector<std::string>& places) {
    std::string report;
    for (const std::string& place : places) report += "./" + place + ": seperate ==> separate\n";
    SourceTree tree(request_);
    findings_ = read_as("codespell", report, tree).value().findings;
    judge_spellings(findings_, tree);
    std::vector<std::string> words;
    for (const Finding& finding : findings_)
      words.push_back(finding.fixit.value().safe ? "safe" : finding.suggestion);
    return words;
  }
  std::vector<Finding> findings_;
};

constexpr const char* kSentence = "Each of the gauges has a seperate log.\n";

TEST_F(SpellingsTest, SafeInPlainProse) {
  write("a.md", kSentence);
  EXPECT_THAT(judged({"a.md:1"}), ElementsAre("safe"));
  EXPECT_EQ(findings_[0].suggestion, "Write separate");
}

TEST_F(SpellingsTest, ANameOfTheRepositoryStaysEverywhere) {
  write("a.md", kSentence);
  for (const auto& [file, text] :
       std::vector<std::pair<std::string, std::string>>{{"src/b.c", "int seperate(void);\n"},
                                                        {"src/b.c", "int is_seperate_log;\n"},
                                                        {"src/b.c", "int isSeperateLog;\n"},
                                                        {"src/b.c", "const char* log = \"seperate\";\n"},
                                                        {"b.md", "Say `make seperate` when you want it.\n"},
                                                        {"b.json", "{\"seperate\": 1}\n"},
                                                        {"src/seperate.c", "int a;\n"}}) {
    write(file, text);
    EXPECT_THAT(judged({"a.md:1"}), ElementsAre(HasSubstr("the repository uses it as a name")))
        << file << ": " << text;
    fs::remove(tree_ / file);
  }
  EXPECT_THAT(judged({"a.md:1"}), ElementsAre("safe"));
}

TEST_F(SpellingsTest, AWordThatOccursOftenStays) {
  write("a.md", kSentence);
  for (const char* file : {"b.md", "c.md"}) write(file, kSentence);
  EXPECT_THAT(judged({"a.md:1"}), ElementsAre("safe"));
  write("d.md", kSentence);
  EXPECT_THAT(judged({"a.md:1"}), ElementsAre(HasSubstr("often")));
}

TEST_F(SpellingsTest, TheFindingStaysWithoutItsSafeFix) {
  write("a.c", "int seperate;\n");
  EXPECT_THAT(judged({"a.c:1"}), ElementsAre("Write separate if it is a mistake (it is not in prose)"));
  EXPECT_EQ(findings_[0].title, "Misspelled: seperate (separate)");
}

TEST_F(SpellingsTest, TheProjectsListsHold) {
  write("a.md", kSentence);
  for (const auto& [file, text] : std::vector<std::pair<std::string, std::string>>{
           {".codespellrc", "[codespell]\nignore-words-list = seperate\n"},
           {"setup.cfg", "[codespell]\nskip = *.md\n"},
           {"pyproject.toml", "[tool.codespell]\nignore-words-list = \"teh,Seperate\"\n"},
           {"pyproject.toml", "[tool.codespell]\nignore-words = 'words.list'\n"},
           {".pre-commit-config.yaml",
            "repos:\n- repo: a\n  hooks:\n  - id: codespell\n    args: [-L, \"teh,seperate\"]\n"},
           {".pre-commit-config.yaml",
            "repos:\n- repo: a\n  hooks:\n  - id: codespell\n    args:\n    - --ignore-words=words.list\n"},
           {".pre-commit-config.yaml",
            "repos:\n- repo: a\n  hooks:\n  - id: codespell\n    exclude: ^a\\.md$\n"},
           {".pre-commit-config.yaml",
            "repos:\n- repo: a\n  hooks:\n  - id: codespell\n    files: |\n      (?x)^(\n        b.md | # "
            "one\n        c.md\n      )$\n"}}) {
    write(file, text);
    write("words.list", "teh\nseperate\n");
    EXPECT_THAT(judged({"a.md:1"}), IsEmpty()) << file << ": " << text;
    fs::remove(tree_ / file);
    fs::remove(tree_ / "words.list");
  }
  EXPECT_THAT(judged({"a.md:1"}), ElementsAre("safe"));
}

TEST_F(SpellingsTest, AListThatCannotBeReadMakesNothingSafe) {
  write("a.md", kSentence);
  write(".pre-commit-config.yaml",
        "repos:\n- repo: a\n  hooks:\n  - id: codespell\n    args: &a [-L, seperate]\n");
  EXPECT_THAT(judged({"a.md:1"}), ElementsAre(HasSubstr(".pre-commit-config.yaml")));
}

TEST_F(ParserTest, CodespellConfigurationThatWrites) {
  EXPECT_TRUE(section_sets("[codespell]\nskip = x\nwrite-changes =\n", "codespell", {"write-changes"}));
  EXPECT_TRUE(section_sets("[tool.codespell]\nwrite_changes = true\n", "tool.codespell", {"write-changes"}));
  EXPECT_FALSE(
      section_sets("[other]\nwrite-changes =\n[codespell]\nskip = x\n", "codespell", {"write-changes"}));
}

TEST_F(ParserTest, ClangTidy) {
  const ToolOutput output = read_as("clang-tidy", samples_.clang_tidy).value();
  ASSERT_THAT(rules_of(output.findings),
              ElementsAre("modernize-use-nullptr", "readability-braces-around-statements"));
  EXPECT_EQ(output.findings[0].title, "use 'nullptr', not 0");
  EXPECT_EQ(output.findings[0].line, 1);
  EXPECT_EQ(output.findings[0].column, 10);
  EXPECT_TRUE(output.findings[0].fixit->safe);
  EXPECT_EQ(fixed(output.findings[0]), "int *p = nullptr;\nif (p) q;\n");
  EXPECT_FALSE(output.findings[1].fixit->safe);
  EXPECT_EQ(fixed(output.findings[1]), "int *p = 0;\n {if (\n\t}!\\p) q;\n")
      << "all replacements of one diagnostic belong together";
}

TEST_F(ParserTest, ACompilerErrorIsNoFindingAndSpoilsTheFixIts) {
  std::string yaml = samples_.clang_tidy;
  yaml.replace(yaml.find("bugprone-outside"), 16, "clang-diagnostic-error");
  const ToolOutput output = read_as("clang-tidy", yaml).value();
  EXPECT_THAT(output.unanalyzed, ElementsAre(HasSubstr("a header of the system")));
  ASSERT_THAT(output.findings, SizeIs(2));
  for (const Finding& finding : output.findings) EXPECT_FALSE(finding.fixit);
}

TEST_F(ParserTest, AReplacementOutsideTheTreeOrTheFileDropsTheFixIt) {
  for (const auto& [from, to] : {std::pair{std::string("        - FilePath:        '") + tree_.string(),
                                           "        - FilePath:        '/elsewhere"},
                                 {"Offset:          16", "Offset:          99"},
                                 {"\"\\n\\t}\\x21\\\\\"", "'two\n\nlines'"}}) {
    std::string yaml = samples_.clang_tidy;
    yaml.replace(yaml.rfind(from, yaml.find("Notes:")), from.size(), to);
    const auto output = read_as("clang-tidy", yaml);
    ASSERT_TRUE(output) << output.error().message;
    ASSERT_THAT(output->findings, SizeIs(2));
    EXPECT_TRUE(output->findings[0].fixit);
    EXPECT_FALSE(output->findings[1].fixit) << to;
  }
}

TEST_F(ParserTest, Cppcheck) {
  const ToolOutput output = read_as("cppcheck", samples_.cppcheck).value();
  ASSERT_THAT(rules_of(output.findings), ElementsAre("arrayIndexOutOfBounds", "passedByValue"));
  EXPECT_EQ(output.findings[0].title, "Array 'b[4]' < 5");
  EXPECT_EQ(output.findings[0].line, 2);
  EXPECT_EQ(output.findings[0].column, 3);
  EXPECT_EQ(output.findings[0].severity, Severity::high);
  EXPECT_THAT(output.findings[0].suggestion, HasSubstr("788"));
  EXPECT_EQ(output.findings[1].category, "performance");
  EXPECT_THAT(output.unanalyzed, IsEmpty());
}

TEST_F(ParserTest, AFileCppcheckCouldNotReadIsNotClean) {
  const ToolOutput output =
      read_as("cppcheck",
              "<results version=\"2\"><errors><error id=\"syntaxError\" severity=\"error\" msg=\"Unmatched\" "
              "file0=\"a.cpp\"/></errors></results>")
          .value();
  EXPECT_THAT(output.findings, IsEmpty());
  EXPECT_THAT(output.unanalyzed, ElementsAre("a.cpp: Unmatched"));
}

TEST_F(ParserTest, Eslint) {
  const ToolOutput output = read_as("eslint", samples_.eslint).value();
  ASSERT_THAT(rules_of(output.findings),
              ElementsAre("no-extra-boolean-cast", "no-unused-vars", "parse-error"));
  EXPECT_EQ(fixed(output.findings[0]), "var x = \"\xC3\xA9\xF0\x9F\x98\x80\"; if (x) {}\nlet a = 12;\n");
  EXPECT_TRUE(output.findings[0].fixit->safe);
  EXPECT_EQ(output.findings[0].column, 23) << "bytes, not UTF-16 units";
  EXPECT_EQ(fixed(output.findings[1]), "var x = \"\xC3\xA9\xF0\x9F\x98\x80\"; if (!!x) {}\n;\n");
  EXPECT_FALSE(output.findings[1].fixit->safe) << "a suggestion";
  EXPECT_EQ(output.findings[2].severity, Severity::high);
  EXPECT_THAT(output.notes, ElementsAre(HasSubstr("File ignored")));
}

TEST_F(ParserTest, Biome) {
  const ToolOutput output = read_as("biome", samples_.biome).value();
  ASSERT_THAT(rules_of(output.findings),
              ElementsAre("lint/suspicious/noDebugger", "lint/security/noGlobalEval"));
  EXPECT_EQ(output.findings[0].line, 1);
  EXPECT_EQ(output.findings[0].column, 19);
  EXPECT_EQ(output.findings[1].line, 2);
  EXPECT_EQ(output.findings[1].severity, Severity::high);
  EXPECT_THAT(output.notes, SizeIs(1));
}

TEST_F(ParserTest, Flake8) {
  const ToolOutput output = read_as("flake8", samples_.flake8).value();
  ASSERT_THAT(rules_of(output.findings), ElementsAre("F401", "E302", "E999"));
  EXPECT_EQ(output.findings[0].line, 1);
  EXPECT_EQ(output.findings[0].column, 8);
  EXPECT_EQ(output.findings[0].title, "'os' imported but unused");
  EXPECT_EQ(output.findings[1].severity, Severity::info);
  EXPECT_EQ(output.findings[2].severity, Severity::high);
}

TEST_F(ParserTest, Pyflakes) {
  use_private_path();
  write_tool("pyflakes3",
             "case \"$1\" in --version) echo 3.0.1; exit;; esac\nwhile read -r line; do echo \"$line\"; done "
             "<<'END'\n" +
                 samples_.pyflakes +
                 "END\nprintf './p.py:2:3: invalid syntax\\nif x\\n  ^\\n' >&2\nexit 1\n");
  const Analysis output = run("pyflakes", {"p.py"});
  ASSERT_THAT(rules_of(output.findings), ElementsAre("F401", "E999", "F821")) << output.detail;
  EXPECT_EQ(output.findings[1].line, 2);
  EXPECT_EQ(output.findings[1].severity, Severity::high);
  EXPECT_EQ(output.findings[2].line, 3);
}

TEST_F(ParserTest, Ruff) {
  const ToolOutput output = read_as("ruff", samples_.ruff).value();
  ASSERT_THAT(rules_of(output.findings), ElementsAre("F401", "F632", "E711", "invalid-syntax"));
  EXPECT_TRUE(output.findings[0].fixit->safe);
  EXPECT_EQ(fixed(output.findings[0]), "if '\xC3\xA9' is x: pass\ny\n");
  EXPECT_FALSE(output.findings[1].fixit->safe);
  EXPECT_EQ(fixed(output.findings[1]), "import os\nif '\xC3\xA9' == x: pass\ny\n")
      << "columns are characters";
  EXPECT_FALSE(output.findings[2].fixit) << "for display only";
}

TEST_F(ParserTest, PlacesThatDoNotExistGiveNoFixIt) {
  std::string json = samples_.shellcheck;
  json.replace(json.find("\"endColumn\":11,\"line\":2"), 23, "\"endColumn\":99,\"line\":2");
  const ToolOutput output = read_as("shellcheck", json).value();
  EXPECT_FALSE(output.findings.at(0).fixit);
  write("a.sh", "\xFF\xFE not UTF-8 $1\n");
  SourceTree fresh(request_);
  const ToolOutput again = read_as("shellcheck", samples_.shellcheck, fresh).value();
  for (const Finding& finding : again.findings) EXPECT_FALSE(finding.fixit);
}

struct NamedParser {
  std::string name, sample;
  std::function<Result<ToolOutput>(std::string_view)> parse;
};

class ParserDamageTest : public ParserTest {
protected:
  std::vector<NamedParser> parsers() {
    return {{"shellcheck", samples_.shellcheck, [this](auto text) { return read_as("shellcheck", text); }},
            {"codespell", samples_.codespell, [this](auto text) { return read_as("codespell", text); }},
            {"clang-tidy", samples_.clang_tidy, [this](auto text) { return read_as("clang-tidy", text); }},
            {"cppcheck", samples_.cppcheck, [this](auto text) { return read_as("cppcheck", text); }},
            {"eslint", samples_.eslint, [this](auto text) { return read_as("eslint", text); }},
            {"biome", samples_.biome, [this](auto text) { return read_as("biome", text); }},
            {"flake8", samples_.flake8, [this](auto text) { return read_as("flake8", text); }},
            {"pyflakes", samples_.pyflakes, [this](auto text) { return read_as("pyflakes", text); }},
            {"ruff", samples_.ruff, [this](auto text) { return read_as("ruff", text); }}};
  }
  // Whatever was parsed can be used.
  void check(const std::string& name, const Result<ToolOutput>& output) const {
    if (!output) return;
    for (const Finding& finding : output->findings) {
      EXPECT_FALSE(finding.file.empty() || finding.file.starts_with("/") || finding.file.starts_with("../"))
          << name << " " << finding.file;
      EXPECT_GE(finding.line, 0) << name;
      if (!finding.fixit) continue;
      for (const Edit& edit : finding.fixit->edits)
        EXPECT_TRUE(apply_edits(read_file(tree_ / edit.file).value_or(""), edit.file, finding.fixit->edits))
            << name;
    }
  }
};

// Cut inside a document, the document is not whole. Formats made of lines can only be cut inside a line.
TEST_F(ParserDamageTest, ACutOutputIsNeverTakenForAWholeOne) {
  for (const NamedParser& parser : parsers()) {
    const bool lines = parser.name == "codespell" || parser.name == "flake8" || parser.name == "pyflakes";
    const std::size_t all = parser.parse(parser.sample)->findings.size();
    const std::string_view whole =
        std::string_view(parser.sample).substr(0, parser.sample.find_last_not_of("\n") + 1);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const auto output = parser.parse(whole.substr(0, length));
      check(parser.name, output);
      EXPECT_TRUE(lines || !output) << parser.name << " cut at " << length;
      EXPECT_LE(output ? output->findings.size() : 0, all) << parser.name;
    }
  }
}

TEST_F(ParserDamageTest, ChangedBytesDoNoHarm) {
  std::uint32_t state = 1;
  const auto random = [&state] { return (state = state * 1664525U + 1013904223U) >> 8; };
  for (const NamedParser& parser : parsers()) {
    for (int round = 0; round < 4'000; ++round) {
      std::string text = parser.sample;
      for (std::uint32_t flips = 1 + random() % 4; flips > 0; --flips)
        text[random() % text.size()] = static_cast<char>(random() % 256);
      if (random() % 8 == 0)
        text.insert(random() % text.size(), text.substr(random() % text.size(), random() % 40));
      check(parser.name, parser.parse(text));
    }
  }
}

TEST_F(ParserDamageTest, GarbageIsAnError) {
  for (const NamedParser& parser : parsers())
    for (const char* text :
         {"Segmentation fault\n", "{}", "null", "<html></html>", "---\n- x\n", "\x01\x02\x03"})
      EXPECT_FALSE(parser.parse(text)) << parser.name << " took " << text;
}

TEST_F(ParserDamageTest, DeepNestingIsRefused) {
  for (const NamedParser& parser : parsers()) {
    EXPECT_FALSE(parser.parse(std::string(100'000, '['))) << parser.name;
    EXPECT_FALSE(parser.parse("---\n" +
                              [] {
                                std::string text;
                                for (int depth = 0; depth < 500; ++depth)
                                  text += std::string(static_cast<std::size_t>(depth), ' ') + "A:\n";
                                return text;
                              }()))
        << parser.name;
  }
}

} // namespace emend
