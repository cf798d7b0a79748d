// Text that a tool or an agent wrote, as paragraphs, lists and code. It becomes elements with text in them, never HTML: whatever is in it
// is shown, nothing of it happens.
import type { JSX } from "preact";
import { marked } from "./shown";

type Block = { kind: "code"; text: string } | { kind: "list"; items: string[] } | { kind: "heading"; text: string } | { kind: "table"; head: string[]; rows: string[][] } | { kind: "paragraph"; text: string };

// "| a | b |" -> a, b. A bar after a backslash is part of a cell.
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, "|"));
const isRule = (line: string | undefined): boolean => line !== undefined && /^\s*\|(\s*:?-+:?\s*\|)+\s*$/.test(line);

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  let list: string[] = [];
  const flush = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", text: paragraph.join("\n") });
    if (list.length > 0) blocks.push({ kind: "list", items: list });
    paragraph = [];
    list = [];
  };
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  for (let at = 0; at < lines.length; ++at) {
    const line = lines[at]!;
    const fence = /^\s*(```+|~~~+)/.exec(line);
    if (fence) {
      flush();
      const code: string[] = [];
      for (++at; at < lines.length && !lines[at]!.trim().startsWith(fence[1]!); ++at) code.push(lines[at]!);
      blocks.push({ kind: "code", text: code.join("\n") });
    } else if (line.trim().startsWith("|") && isRule(lines[at + 1])) {
      flush();
      const rows: string[][] = [];
      for (at += 2; at < lines.length && lines[at]!.trim().startsWith("|"); ++at) rows.push(cellsOf(lines[at]!));
      --at;
      blocks.push({ kind: "table", head: cellsOf(line), rows });
    } else if (line.trim() === "") {
      flush();
    } else if (/^#{1,6}\s/.test(line)) {
      flush();
      blocks.push({ kind: "heading", text: line.replace(/^#+\s+/, "") });
    } else if (/^\s*([-*+]|\d+[.)])\s+/.test(line)) {
      if (paragraph.length > 0) flush();
      list.push(line.replace(/^\s*([-*+]|\d+[.)])\s+/, ""));
    } else if (list.length > 0) {
      list[list.length - 1] += ` ${line.trim()}`;
    } else {
      paragraph.push(line);
    }
  }
  flush();
  return blocks;
}

// What stands between backticks is code; its marks are shown, too.
export function Inline({ text }: { text: string }): JSX.Element {
  const parts = text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/);
  return (
    <>
      {parts.map((part, index) => {
        if (part.length > 2 && part.startsWith("`")) return <code key={index}>{marked(part.slice(1, -1))}</code>;
        if (part.length > 4 && part.startsWith("**")) return <strong key={index}>{marked(part.slice(2, -2))}</strong>;
        return <bdi key={index}>{marked(part)}</bdi>;
      })}
    </>
  );
}

export function Prose({ text }: { text: string }): JSX.Element {
  return (
    <div class="prose">
      {blocksOf(text).map((block, index) => {
        if (block.kind === "code") return <pre key={index} tabIndex={0}>{marked(block.text)}</pre>;
        if (block.kind === "table")
          return (
            <div key={index} class="table-scroll" tabIndex={0} role="group" aria-label="Table">
              <table class="table">
                <thead>
                  <tr>
                    {block.head.map((cell, at) => (
                      <th key={at} scope="col"><Inline text={cell} /></th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {block.rows.map((row, line) => (
                    <tr key={line}>
                      {row.map((cell, at) => (
                        <td key={at}><Inline text={cell} /></td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          );
        if (block.kind === "heading") return <p key={index} class="prose-heading"><Inline text={block.text} /></p>;
        if (block.kind === "paragraph") return <p key={index}><Inline text={block.text} /></p>;
        return (
          <ul key={index}>
            {block.items.map((item, row) => (
              <li key={row}><Inline text={item} /></li>
            ))}
          </ul>
        );
      })}
    </div>
  );
}
