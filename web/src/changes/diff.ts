// A unified diff as files, hunks and lines, with what changed inside of a line.
export interface DiffLine {
  kind: " " | "+" | "-";
  old: number | null;
  new: number | null;
  text: string;
  mark: [number, number] | null; // the part that differs from its partner line
}

export interface Hunk {
  header: string;
  lines: DiffLine[];
}

export interface DiffFile {
  path: string;
  oldPath: string | null; // when it was renamed
  state: "changed" | "added" | "deleted" | "renamed";
  binary: boolean;
  hunks: Hunk[];
  added: number;
  removed: number;
}

const kHunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;

// git quotes names with unusual bytes, C-style and in octal.
export function unquoted(name: string): string {
  if (!name.startsWith('"')) return name.replace(/\t$/, "");
  const bytes: number[] = [];
  const body = name.slice(1, name.lastIndexOf('"'));
  const plain: Record<string, number> = { n: 10, t: 9, r: 13, '"': 34, "\\": 92, a: 7, b: 8, f: 12, v: 11 };
  for (let at = 0; at < body.length; ++at) {
    if (body[at] !== "\\") {
      bytes.push(...new TextEncoder().encode(body[at]));
      continue;
    }
    const octal = /^[0-7]{3}/.exec(body.slice(at + 1));
    bytes.push(octal ? parseInt(octal[0], 8) : (plain[body[at + 1]!] ?? body.charCodeAt(at + 1)));
    at += octal ? 3 : 1;
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const withoutPrefix = (name: string): string => unquoted(name).replace(/^[ab]\//, "");

function namesOf(line: string): [string, string] {
  const rest = line.slice("diff --git ".length);
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|.+)$/.exec(rest);
  // Without quotes both names are the same, unless rename lines follow: so the middle divides them.
  const half = (rest.length - 1) / 2;
  if (!rest.startsWith('"') && rest[half] === " " && rest.slice(1, half) === rest.slice(half + 2)) return [withoutPrefix(rest.slice(0, half)), withoutPrefix(rest.slice(half + 1))];
  return quoted ? [withoutPrefix(quoted[1]!), withoutPrefix(quoted[2]!)] : [rest, rest];
}

// The part in the middle of two lines that is not the same; null if nothing worth marking is left.
export function difference(a: string, b: string): [[number, number], [number, number]] | null {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) ++start;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) ++end;
  const same = start + end;
  if (same === 0 || same < Math.max(a.length, b.length) * 0.3) return null; // another line, not a changed one
  return [
    [start, a.length - end],
    [start, b.length - end],
  ];
}

function mark(lines: DiffLine[]): void {
  for (let at = 0; at < lines.length; ) {
    if (lines[at]!.kind !== "-") {
      ++at;
      continue;
    }
    let removed = at;
    while (removed < lines.length && lines[removed]!.kind === "-") ++removed;
    let added = removed;
    while (added < lines.length && lines[added]!.kind === "+") ++added;
    if (added - removed === removed - at)
      for (let pair = 0; pair < removed - at; ++pair) {
        const found = difference(lines[at + pair]!.text, lines[removed + pair]!.text);
        if (found) [lines[at + pair]!.mark, lines[removed + pair]!.mark] = found;
      }
    at = Math.max(added, at + 1);
  }
}

export function parseDiff(text: string): DiffFile[] {
  const files: DiffFile[] = [];
  let file: DiffFile | null = null;
  let hunk: Hunk | null = null;
  let oldLine = 0;
  let newLine = 0;
  let oldLeft = 0;
  let newLeft = 0;
  for (const line of text.split("\n")) {
    if (hunk && (oldLeft > 0 || newLeft > 0)) {
      const kind = (line[0] ?? " ") as string;
      if (kind === "+" || kind === "-" || kind === " " || line === "") {
        const content = line.slice(1);
        if (kind === "+") hunk.lines.push({ kind: "+", old: null, new: newLine++, text: content, mark: null });
        else if (kind === "-") hunk.lines.push({ kind: "-", old: oldLine++, new: null, text: content, mark: null });
        else hunk.lines.push({ kind: " ", old: oldLine++, new: newLine++, text: content, mark: null });
        if (kind !== "+") --oldLeft;
        if (kind !== "-") --newLeft;
        if (kind === "+") ++file!.added;
        if (kind === "-") ++file!.removed;
        continue;
      }
      if (line.startsWith("\\")) continue;
    }
    if (line.startsWith("diff --git ")) {
      const [before, after] = namesOf(line);
      file = { path: after, oldPath: before === after ? null : before, state: before === after ? "changed" : "renamed", binary: false, hunks: [], added: 0, removed: 0 };
      files.push(file);
      hunk = null;
    } else if (file && line.startsWith("new file mode")) file.state = "added";
    else if (file && line.startsWith("deleted file mode")) file.state = "deleted";
    else if (file && line.startsWith("rename from ")) (file.oldPath = unquoted(line.slice(12))), (file.state = "renamed");
    else if (file && line.startsWith("rename to ")) file.path = unquoted(line.slice(10));
    else if (file && (line.startsWith("Binary files ") || line.startsWith("GIT binary patch"))) file.binary = true;
    else if (file && line.startsWith("@@")) {
      const found = kHunk.exec(line);
      if (!found) continue;
      oldLine = Number(found[1]);
      newLine = Number(found[3]);
      oldLeft = found[2] === undefined ? 1 : Number(found[2]);
      newLeft = found[4] === undefined ? 1 : Number(found[4]);
      hunk = { header: line, lines: [] };
      file.hunks.push(hunk);
    }
  }
  for (const one of files) for (const part of one.hunks) mark(part.lines);
  return files;
}

// Left and right columns of a split view.
export function sideBySide(lines: DiffLine[]): [DiffLine | null, DiffLine | null][] {
  const rows: [DiffLine | null, DiffLine | null][] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); ++at) rows.push([removed[at] ?? null, added[at] ?? null]);
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === "-") removed.push(line);
    else if (line.kind === "+") added.push(line);
    else {
      flush();
      rows.push([line, line]);
    }
  }
  flush();
  return rows;
}

const changedLines = (hunk: Hunk): string[] => hunk.lines.filter((line) => line.kind !== " ").map((line) => line.kind + line.text);

// Which issues a hunk of the whole branch comes from: those whose own commit changes one of the same lines of the same file.
export function issuesOfHunk(file: DiffFile, hunk: Hunk, byIssue: Map<string, DiffFile[]>): string[] {
  const lines = new Set(changedLines(hunk));
  const found: string[] = [];
  for (const [issue, files] of byIssue) {
    const own = files.find((one) => one.path === file.path || one.oldPath === file.path || one.path === file.oldPath);
    if (own?.hunks.some((part) => changedLines(part).some((line) => lines.has(line)))) found.push(issue);
  }
  return found;
}
