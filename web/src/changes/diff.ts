// A unified diff as files, hunks and lines, with what changed inside of a line.
export interface DiffLine {
  kind: " " | "+" | "-";
  old: number | null;
  new: number | null;
  text: string;
  marks: readonly Range[]; // the parts that differ from its partner line; see markWords
}

export type Range = readonly [from: number, to: number];

export interface Hunk {
  header: string;
  lines: DiffLine[];
  partners?: Map<DiffLine, DiffLine>; // lines whose marks are not known yet; see markWords
}

export interface DiffFile {
  path: string;
  oldPath: string | null; // when it was renamed
  state: "changed" | "added" | "deleted" | "renamed";
  binary: boolean;
  hunks: Hunk[];
  whole?: boolean; // its end is shown
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

const kMostWords = 120; // in the differing middle of a line; beyond it the middle as a whole is marked

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

// Which of a's words are not in b in the same order, as ranges from `start` on. Words beside each other become one range.
function ranges(a: readonly string[], kept: ReadonlySet<number>, start: number): Range[] {
  const found: [number, number][] = [];
  let at = start;
  a.forEach((word, index) => {
    if (!kept.has(index)) {
      const last = found[found.length - 1];
      if (last && last[1] === at) last[1] = at + word.length;
      else found.push([at, at + word.length]);
    }
    at += word.length;
  });
  return found;
}

// The longest common row of words, as the places in a and in b.
function common(a: readonly string[], b: readonly string[]): [Set<number>, Set<number>] {
  const width = b.length + 1;
  const best = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; --i)
    for (let j = b.length - 1; j >= 0; --j) best[i * width + j] = a[i] === b[j] ? best[(i + 1) * width + j + 1]! + 1 : Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!);
  const [inA, inB] = [new Set<number>(), new Set<number>()];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) inA.add(i++), inB.add(j++);
    else if (best[(i + 1) * width + j]! >= best[i * width + j + 1]!) ++i;
    else ++j;
  }
  return [inA, inB];
}

// The words of two lines that are not the same; null if the lines have too little in common to be one changed line.
export function difference(a: string, b: string): [Range[], Range[]] | null {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  let head = 0;
  let start = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) start += left[head++]!.length;
  let tail = 0;
  let same = start;
  while (tail < left.length - head && tail < right.length - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) same += left[left.length - 1 - tail++]!.length;
  const [midLeft, midRight] = [left.slice(head, left.length - tail), right.slice(head, right.length - tail)];
  const whole = midLeft.length > kMostWords || midRight.length > kMostWords;
  const [keptLeft, keptRight] = whole ? [new Set<number>(), new Set<number>()] : common(midLeft, midRight);
  for (const index of keptLeft) same += midLeft[index]!.length;
  if (same < Math.max(a.length, b.length) * 0.3) return null; // another line, not a changed one
  return [ranges(midLeft, keptLeft, start), ranges(midRight, keptRight, start)];
}

// Removed and added lines that stand for each other: as many of the one as of the other, side by side.
function partnersOf(lines: readonly DiffLine[]): Map<DiffLine, DiffLine> {
  const partners = new Map<DiffLine, DiffLine>();
  for (let at = 0; at < lines.length; ) {
    if (lines[at]!.kind !== "-") {
      ++at;
      continue;
    }
    let removed = at;
    while (removed < lines.length && lines[removed]!.kind === "-") ++removed;
    let added = removed;
    while (added < lines.length && lines[added]!.kind === "+") ++added;
    if (added - removed === removed - at) for (let pair = 0; pair < removed - at; ++pair) partners.set(lines[at + pair]!, lines[removed + pair]!).set(lines[removed + pair]!, lines[at + pair]!);
    at = Math.max(added, at + 1);
  }
  return partners;
}

// Finds what changed inside of these lines of a hunk: only of those that are drawn, and once.
export function markWords(hunk: Hunk, lines: readonly DiffLine[] = hunk.lines): void {
  const partners = (hunk.partners ??= partnersOf(hunk.lines));
  for (const line of lines) {
    const other = partners.get(line);
    if (!other) continue;
    partners.delete(line);
    partners.delete(other);
    const [before, after] = line.kind === "-" ? [line, other] : [other, line];
    const found = difference(before.text, after.text);
    if (found) [before.marks, after.marks] = found;
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
        if (kind === "+") hunk.lines.push({ kind: "+", old: null, new: newLine++, text: content, marks: [] });
        else if (kind === "-") hunk.lines.push({ kind: "-", old: oldLine++, new: null, text: content, marks: [] });
        else hunk.lines.push({ kind: " ", old: oldLine++, new: newLine++, text: content, marks: [] });
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

// Whose commit changes which line of which file: read once for the whole branch.
export type Owners = Map<string, Map<string, Set<string>>>;

export function ownersOf(byIssue: ReadonlyMap<string, readonly DiffFile[]>): Owners {
  const owners: Owners = new Map();
  for (const [issue, files] of byIssue)
    for (const file of files)
      for (const path of new Set([file.path, file.oldPath ?? file.path])) {
        const lines = owners.get(path) ?? new Map<string, Set<string>>();
        owners.set(path, lines);
        for (const hunk of file.hunks)
          for (const line of hunk.lines) {
            if (line.kind === " ") continue;
            const key = line.kind + line.text;
            const known = lines.get(key);
            if (known) known.add(issue);
            else lines.set(key, new Set([issue]));
          }
      }
  return owners;
}

// Which issues a hunk of the whole branch comes from: those whose own commit changes one of the same lines of the same file.
export function issuesOfHunk(file: DiffFile, hunk: Hunk, owners: Owners): string[] {
  const known = remembered.get(hunk);
  if (known?.owners === owners) return known.issues;
  const issues = findIssues(file, hunk, owners);
  remembered.set(hunk, { owners, issues });
  return issues;
}

const remembered = new WeakMap<Hunk, { owners: Owners; issues: string[] }>(); // every drawing asks again

function findIssues(file: DiffFile, hunk: Hunk, owners: Owners): string[] {
  const found = new Set<string>();
  for (const path of new Set([file.path, file.oldPath ?? file.path])) {
    const lines = owners.get(path);
    if (!lines) continue;
    for (const line of hunk.lines) if (line.kind !== " ") for (const issue of lines.get(line.kind + line.text) ?? []) found.add(issue);
  }
  return [...found].sort();
}

// The files below their folders, each folder once, in the order the files came in.
export function byFolder(files: readonly DiffFile[]): { folder: string; files: DiffFile[] }[] {
  const folders = new Map<string, DiffFile[]>();
  for (const file of files) {
    const folder = file.path.slice(0, Math.max(0, file.path.lastIndexOf("/")));
    const known = folders.get(folder);
    if (known) known.push(file);
    else folders.set(folder, [file]);
  }
  return [...folders].map(([folder, inside]) => ({ folder, files: inside }));
}
