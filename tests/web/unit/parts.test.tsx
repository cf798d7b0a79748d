import { render } from "preact";
import { act } from "./act";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Issue, Question, Repository } from "@web/api/types";
import { actions, press, useActions } from "@web/app/keys";
import { editor, editorTemplate } from "@web/app/preferences";
import { repositories } from "@web/app/repositories";
import { QuestionCard } from "@web/inbox/question_card";
import { FailedRow } from "@web/inbox/rows";
import { Dialog } from "@web/parts/dialog";
import { Tabs } from "@web/parts/tabs";
import { forReaders } from "@web/session/pull_request";
import { Prose, blocksOf } from "@web/text/prose";

let box: HTMLElement;
beforeEach(() => {
  box = document.createElement("div");
  document.body.append(box);
});
afterEach(() => {
  box.remove();
  vi.unstubAllGlobals();
});

test("what an agent wrote is text, whatever it looks like", () => {
  const hostile = '<img src=x onerror="alert(1)"> `<script>alert(2)</script>` **<b>**\n\n```html\n</pre><script>alert(3)</script>\n```\n[link](javascript:alert(4))';
  render(<Prose text={hostile} />, box);
  expect(box.querySelectorAll("img, script, b, a")).toHaveLength(0);
  expect(box.textContent).toContain('<img src=x onerror="alert(1)">');
  expect(box.querySelector("code")!.textContent).toBe("<script>alert(2)</script>");
  expect(box.querySelector("pre")!.textContent).toBe("</pre><script>alert(3)</script>");
});

test("paragraphs, lists and code", () => {
  expect(blocksOf("a\nb\n\n- one\n  more\n- two\n\n```\nx\n")).toEqual([
    { kind: "paragraph", text: "a\nb" },
    { kind: "list", items: ["one more", "two"] },
    { kind: "code", text: "x\n" },
  ]);
});

test("a table of a pull request is a table, and its marks for programs are left out", () => {
  const body = "<!-- emend v1 fp=x -->\nfixed\n\n| issue | where |\n|---|:-:|\n| BE-001 | [a.c:3](https://example.org/a.c#L3) |\n| `a \\| b` | c |\n\nend\n<!-- emend end -->\n";
  expect(blocksOf(forReaders(body))).toEqual([
    { kind: "paragraph", text: "fixed" },
    { kind: "table", head: ["issue", "where"], rows: [["BE-001", "a.c:3"], ["`a | b`", "c"]] },
    { kind: "paragraph", text: "end" },
  ]);
  expect(forReaders("a\n<details><summary>BE-003: what it said</summary>\n\nb\n</details>\n")).toBe("a\n**BE-003: what it said**\n\n\nb\n\n");
  expect(blocksOf("| not | a table")).toEqual([{ kind: "paragraph", text: "| not | a table" }]);
});

test("arrow keys turn tabs", async () => {
  const turned: string[] = [];
  render(<Tabs tabs={[{ id: "a", name: "A" }, { id: "b", name: "B" }]} current="a" label="Tabs" onTurn={(id) => turned.push(id)}>x</Tabs>, box);
  const list = box.querySelector("[role=tablist]")!;
  await act(() => list.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true })));
  await act(() => list.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true })));
  expect(turned).toEqual(["b", "b"]);
  expect(box.querySelector("[role=tabpanel]")!.getAttribute("aria-labelledby")).toBe(box.querySelector("[aria-selected=true]")!.id);
});

test("a suggested answer is sent as it is, with what a browser must send", async () => {
  const fetched = vi.fn(() => Promise.resolve(new Response("{}", { status: 200 })));
  vi.stubGlobal("fetch", fetched);
  const question = { id: "BE-001-q1", issue_code: "BE-001", repository_id: "r", question: "Left?", context: "", suggestions: ["left", "right"] } as unknown as Question;
  render(<QuestionCard question={question} />, box);
  await act(() => box.querySelectorAll<HTMLButtonElement>("[role=group] button")[1]!.click());
  const [url, sent] = fetched.mock.calls[0] as unknown as [string, RequestInit];
  expect(url).toBe("/api/questions/BE-001-q1/answer");
  expect(JSON.parse(sent.body as string)).toEqual({ answer: "right", repository_id: "r" });
  expect((sent.headers as Record<string, string>)["X-Emend-CSRF"]).toBe("1");
});

const key = (name: string, more: KeyboardEventInit = {}, target: EventTarget = document.body): boolean => {
  const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more });
  Object.defineProperty(event, "target", { value: target });
  return press(event);
};

test("keys: sequences, the innermost view first, none while typing", async () => {
  const done: string[] = [];
  const Outer = () => {
    useActions([{ keys: "g i", what: "inbox", group: "Go to", run: () => done.push("inbox") }, { keys: "j", what: "outer", group: "x", run: () => done.push("outer") }]);
    return null;
  };
  const Inner = () => {
    useActions([{ keys: "j", what: "inner", group: "x", run: () => done.push("inner") }]);
    return <input />;
  };
  await act(() => render(<><Outer /><Inner /></>, box));
  key("g");
  expect(key("i")).toBe(true);
  key("j");
  expect(key("j", {}, box.querySelector("input")!)).toBe(false);
  expect(done).toEqual(["inbox", "inner"]);
  await act(() => render(null, box));
  expect(actions()).toHaveLength(0);
});

test("Escape in a field leaves the field and does nothing else", async () => {
  const done: string[] = [];
  const View = () => {
    useActions([{ keys: "Escape", what: "close", group: "x", run: () => done.push("closed") }]);
    return <input />;
  };
  await act(() => render(<View />, box));
  const field = box.querySelector("input")!;
  field.focus();
  expect(key("Escape", {}, field)).toBe(false);
  expect(document.activeElement).not.toBe(field);
  expect(done).toEqual([]);
  expect(key("Escape")).toBe(true);
  expect(done).toEqual(["closed"]);
  await act(() => render(null, box));
});

test("a dialog opens with the focus where a person goes on, and gives it back", async () => {
  const opener = document.createElement("button");
  document.body.append(opener);
  const close = () => {};
  const forms = {
    field: <textarea id="want" />,
    "the chosen one": <><input type="radio" name="r" value="a" /><input type="radio" name="r" value="b" checked id="want" /></>,
    "what asks for it": <><input type="checkbox" /><button id="want" autofocus>Start</button></>,
    "the first answer": <div class="dialog-end"><button id="want">No</button><button>Yes</button></div>,
    "no button that could be pressed by chance": <p>Only text</p>,
  };
  for (const [name, form] of Object.entries(forms)) {
    opener.focus();
    await act(() => render(<Dialog title="Ask" onClose={close}>{form}</Dialog>, box));
    expect(document.activeElement, name).toBe(box.querySelector("#want") ?? box.querySelector("dialog"));
    await act(() => render(null, box));
    expect(document.activeElement, name).toBe(opener);
  }
  opener.remove();
});

test("when the question of a dialog changes, the focus goes to the new one", async () => {
  await act(() => render(<Dialog title="Ask" onClose={() => {}}><button key="1" class="primary" autofocus>Ask me</button></Dialog>, box));
  await act(() => render(<Dialog title="Ask" onClose={() => {}}><p key="2">Busy</p></Dialog>, box));
  await act(() => render(<Dialog title="Ask" onClose={() => {}}><textarea key="3" /></Dialog>, box));
  expect(document.activeElement).toBe(box.querySelector("textarea"));
  await act(() => render(null, box));
});

test("the place of an issue in the inbox opens it in the chosen editor, at its line", async () => {
  const assign = vi.spyOn(location, "assign").mockImplementation(() => {});
  repositories.value = [{ id: "r", name: "shop", path: "/home/me/shop" } as Repository];
  const issue = { id: "i", code: "BE-001", title: "t", file: "src/a b.c", range: { start_line: 7, end_line: 7 }, severity: "low", status: "FAILED", repository_id: "r", detail: "", reason: "verified" } as unknown as Issue;
  await act(() => render(<FailedRow issue={issue} ask={() => {}} />, box));
  const place = (): HTMLButtonElement => box.querySelector<HTMLButtonElement>("button.path")!;
  editor.value = "vscode";
  place().click();
  expect(assign).toHaveBeenCalledWith("vscode://file/home/me/shop/src/a%20b.c:7");
  editor.value = "custom";
  editorTemplate.value = "javascript:alert({line})";
  place().click();
  expect(assign).toHaveBeenCalledTimes(1);
  assign.mockRestore();
});
