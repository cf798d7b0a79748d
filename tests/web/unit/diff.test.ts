import { expect, test } from "vitest";
import { byFolder, difference, issuesOfHunk, markWords, ownersOf, parseDiff, sideBySide, unquoted } from "@web/changes/diff";

const text = `diff --git a/src/a b.c b/src/a b.c
--- a/src/a b.c
+++ b/src/a b.c
@@ -1,4 +1,4 @@ int main() {
 one
-two = 2;
+two = 3;
 three
--- not a header, a removed line
+++ not a header, an added one
@@ -10 +10,2 @@
 ten
+eleven
\\ No newline at end of file
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+hello
diff --git a/pic.png b/pic.png
Binary files a/pic.png and b/pic.png differ
diff --git a/old.c b/fresh.c
similarity index 100%
rename from old.c
rename to fresh.c
`;

test("files, hunks and lines with their numbers", () => {
  const [first, added, picture, renamed] = parseDiff(text.replace("@@ -1,4 +1,4 @@", "@@ -1,4 +1,4 @@"));
  expect(first).toMatchObject({ path: "src/a b.c", state: "changed", added: 3, removed: 2 });
  expect(first!.hunks[0]!.lines.map((line) => [line.kind, line.old, line.new])).toEqual([
    [" ", 1, 1],
    ["-", 2, null],
    ["+", null, 2],
    [" ", 3, 3],
    ["-", 4, null],
    ["+", null, 4],
  ]);
  expect(first!.hunks[0]!.lines[4]!.text).toBe("-- not a header, a removed line");
  expect(added).toMatchObject({ path: "new.txt", state: "added" });
  expect(picture).toMatchObject({ binary: true });
  expect(renamed).toMatchObject({ path: "fresh.c", oldPath: "old.c", state: "renamed", hunks: [] });
});

test("what changed inside of a line", () => {
  expect(difference("two = 2;", "two = 3;")).toEqual([[[6, 7]], [[6, 7]]]);
  // Two words far from each other are two marks, and what lies between is not marked.
  expect(difference("if (a < 10 && b > 20)", "if (a <= 10 && b > 30)")).toEqual([[[18, 20]], [[7, 8], [19, 21]]]);
  const hunk = parseDiff(text)[0]!.hunks[0]!;
  expect(hunk.lines.every((line) => line.marks.length === 0)).toBe(true); // found when it is drawn
  markWords(hunk);
  expect(hunk.lines[2]!.marks).toEqual([[6, 7]]);
  expect(difference("completely", "other thing")).toBeNull();
});

test("left and right", () => {
  const hunk = parseDiff(text)[0]!.hunks[0]!;
  expect(sideBySide(hunk.lines).map(([left, right]) => [left?.text ?? null, right?.text ?? null])[1]).toEqual(["two = 2;", "two = 3;"]);
});

test("a hunk belongs to the issue whose commit changes its lines", () => {
  const whole = parseDiff(text);
  const own = ownersOf(new Map([
    ["BE-001", parseDiff(text.slice(0, text.indexOf("@@ -10")))],
    ["BE-002", parseDiff("diff --git a/other.c b/other.c\n@@ -1 +1 @@\n-two = 2;\n+two = 3;\n")],
  ]));
  expect(issuesOfHunk(whole[0]!, whole[0]!.hunks[0]!, own)).toEqual(["BE-001"]);
  expect(issuesOfHunk(whole[0]!, whole[0]!.hunks[1]!, own)).toEqual([]);
});

test("files stand below their folders, each folder once", () => {
  const files = parseDiff(["README", "src/a.c", "src/net/b.c", "src/c.c"].map((path) => `diff --git a/${path} b/${path}\n`).join(""));
  expect(byFolder(files).map(({ folder, files: inside }) => [folder, inside.map((file) => file.path)])).toEqual([
    ["", ["README"]],
    ["src", ["src/a.c", "src/c.c"]],
    ["src/net", ["src/net/b.c"]],
  ]);
});

test("names git quotes", () => {
  expect(unquoted('"a/\\303\\244 \\"x\\".c"')).toBe('a/ä "x".c');
});

test("nothing breaks on what is no diff", () => {
  for (const odd of ["", "\n", "@@ -1 +1 @@\n+x", "diff --git \n@@ bad @@\n", "diff --git a/x b/x\n@@ -1,9 +1,9 @@\n+"]) expect(() => parseDiff(odd)).not.toThrow();
});
