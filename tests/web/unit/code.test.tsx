import { render } from "preact";
import { expect, test } from "vitest";
import { pieces } from "@web/changes/drawn_line";
import { languageOf, tokensOf } from "@web/changes/highlight";
import { excerpt } from "@web/issues/proof";
import { guardText } from "@web/text/guard";
import { Shown } from "@web/text/shown";

const words = (line: string, language: string): string[] => tokensOf([line], language)[0]!.map(([from, to, kind]) => `${kind}:${line.slice(from, to)}`);

test("the words of a language have their colours", () => {
  expect(words('  return fine_cents(days, 0x1F) + "a\\"b"; // why', "c")).toEqual(["k:return", "f:fine_cents", "n:0x1F", 's:"a\\"b"', "c:// why"]);
  expect(words("def f(self): return {'a': 1}  # x", "python")).toEqual(["k:def", "f:f", "k:self", "k:return", "s:'a'", "n:1", "c:# x"]);
  expect(words("const Found = await get<Issue>(url)", "js")).toEqual(["k:const", "t:Found", "k:await", "t:Issue"]);
  expect(words("SELECT n FROM issues -- all", "sql")).toEqual(["k:SELECT", "k:FROM", "c:-- all"]);
  expect(tokensOf(["anything"], null)).toEqual([[]]);
  expect([languageOf("src/a.tsx"), languageOf("Makefile"), languageOf("x.unknown")]).toEqual(["js", "shell", null]);
});

test("a comment goes on over lines", () => {
  expect(tokensOf(["a /* b", "c", "d */ return"], "c")).toEqual([[[2, 6, "c"]], [[0, 1, "c"]], [[0, 4, "c"], [5, 11, "k"]]]);
  expect(tokensOf(["x = '''", "text", "''' + y"], "python")[1]).toEqual([[0, 4, "s"]]);
});

test("a very long line stays plain", () => {
  expect(tokensOf(["return ".repeat(1_000)], "c")).toEqual([[]]);
});

test("colours and changed words cut the same text", () => {
  expect(pieces("return year;", [[0, 6, "k"]], [[3, 9]]).map((piece) => [piece.text, piece.kind, piece.changed])).toEqual([
    ["ret", "k", false],
    ["urn", "k", true],
    [" ye", "", true],
    ["ar;", "", false],
  ]);
});

test("marks that turn or hide text are shown by their names", () => {
  const box = document.createElement("div");
  render(<Shown text={"user\u202e // \u2066x\u2069 \u0007 👩\u200d💻\tend"} />, box);
  expect([...box.querySelectorAll(".odd")].map((mark) => [mark.textContent, mark.getAttribute("title")])).toEqual([
    ["RLO", "U+202E"],
    ["LRI", "U+2066"],
    ["PDI", "U+2069"],
    ["BEL", "U+0007"],
  ]);
  expect(box.textContent).not.toMatch(/[\u202e\u2066\u2069\u0007]/);
  expect(box.querySelector("bdi")).not.toBeNull();
});

test("no element draws such a mark, whoever forgot to ask for it", () => {
  guardText();
  const evil = "fine\u202e // \u2066gnp\u2069";
  const box = document.createElement("div");
  const Title = ({ children }: { children: string }) => <b>{children}</b>;
  render(
    <section title={evil}>
      <p>plain {evil}</p>
      <>{evil}</>
      <Title>{evil}</Title>
      <pre>{["a\n\tb\r\n", [evil]]}</pre>
      <button aria-label={evil}>x</button>
      <select>
        <option value={evil}>{evil}</option>
      </select>
      <i>{"👩\u200d💻"}</i>
    </section>,
    box,
  );
  expect(box.textContent).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(box.querySelectorAll(".odd")).toHaveLength(12);
  expect(box.querySelector("option")!.textContent).toBe("fine[RLO] // [LRI]gnp[PDI]");
  expect([box.querySelector("section")!.title, box.querySelector("button")!.getAttribute("aria-label")]).toEqual(["fine[RLO] // [LRI]gnp[PDI]", "fine[RLO] // [LRI]gnp[PDI]"]);
  expect(box.querySelector("i")!.textContent).toBe("👩\u200d💻");
  expect(box.querySelector("pre")!.textContent).toBe("a\n\tb\r\nfineRLO // LRIgnpPDI");
});

test("of a long output the lines about the test are shown", () => {
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);
  lines[20] = "not ok 3 - test_limit";
  expect(excerpt(lines.join("\n"), ["suite::test_limit"]).split("\n")[0]).toBe("not ok 3 - test_limit");
  expect(excerpt(lines.join("\n"), []).split("\n")[0]).toBe("not ok 3 - test_limit");
  expect(excerpt("a\nb\n", [])).toBe("a\nb");
});
