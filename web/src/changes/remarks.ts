// Where in a change each point of a judge belongs: at the line it names or quotes, else at the end of what changed in the file it is about.
import type { DiffFile, DiffLine } from "./diff";

export interface Remark {
  who: string;
  score: number | null; // only with what is said about the whole
  text: string;
  kind: "feedback" | "must" | "wish"; // must: before it may be merged
}

export interface Placed {
  at: ReadonlyMap<DiffLine, readonly Remark[]>;
  rest: readonly Remark[]; // of no line
}

const kShortestQuote = 4;
const kShortestPart = 8; // of a line

const linesOf = (file: DiffFile): DiffLine[] => file.hunks.flatMap((hunk) => hunk.lines);
const lastChanged = (file: DiffFile): DiffLine | null => linesOf(file).filter((line) => line.kind !== " ").pop() ?? null;
const isWord = (letter: string | undefined): boolean => letter !== undefined && /[\p{L}\p{N}_/\\-]/u.test(letter);

// Where a name ends that stands for itself in a text, not as a part of a longer one; -1 = nowhere.
function endOf(name: string, text: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    const longer = isWord(text[at - 1]) || isWord(text[end]) || (text[end] === "." && isWord(text[end + 1]));
    if (!longer) return end;
  }
  return -1;
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

// The file a text names, and where its name ends: by its path, or by its name alone where only one file has it.
function named(files: readonly DiffFile[], text: string): { file: DiffFile; end: number } | null {
  for (const file of files)
    for (const path of [file.path, file.oldPath]) {
      const end = path ? endOf(path, text) : -1;
      if (end >= 0) return { file, end };
    }
  for (const file of files) {
    const alone = files.filter((other) => baseName(other.path) === baseName(file.path)).length === 1;
    const found = alone ? new RegExp(`(?:^|[\\s\`"'(])${baseName(file.path).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-]|\\.\\w)`).exec(text) : null;
    if (found) return { file, end: found.index + found[0].length };
  }
  return null;
}

const atNumber = (file: DiffFile, number: number): DiffLine | null => {
  const lines = linesOf(file);
  return lines.find((line) => line.new === number) ?? lines.find((line) => line.old === number) ?? null;
};

// What stands between marks of quotation.
const quotesOf = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”/g)].map((found) => (found[1] ?? found[2] ?? found[3])!.trim().replace(/^[-+] /, ""));

function quoted(files: readonly DiffFile[], text: string): DiffLine | null {
  const lines = files.flatMap(linesOf).sort((a, b) => "+- ".indexOf(a.kind) - "+- ".indexOf(b.kind));
  for (const quote of quotesOf(text)) {
    if (quote.length < kShortestQuote) continue;
    const line = lines.find((one) => one.text.trim() === quote) ?? (quote.length >= kShortestPart ? lines.find((one) => one.kind !== " " && one.text.includes(quote)) : undefined);
    if (line) return line;
  }
  return null;
}

// The line a text speaks of; null = it cannot be told.
export function lineOf(files: readonly DiffFile[], text: string): DiffLine | null {
  const place = named(files, text);
  const file = place?.file ?? (files.length === 1 ? files[0]! : null);
  const number = place ? /^`?(?::|,? (?:at )?line )(\d+)/.exec(text.slice(place.end)) : null;
  const spoken = number ?? (file ? /\blines? (\d+)\b/i.exec(text) : null);
  const line = file && spoken ? atNumber(file, Number(spoken[1])) : null;
  return line ?? quoted(place ? [place.file] : files, text) ?? (file ? lastChanged(file) : null);
}

export function placeRemarks(files: readonly DiffFile[], remarks: readonly Remark[]): Placed {
  const at = new Map<DiffLine, Remark[]>();
  const rest: Remark[] = [];
  for (const remark of remarks) {
    const line = lineOf(files, remark.text);
    if (!line) rest.push(remark);
    else at.set(line, [...(at.get(line) ?? []), remark]);
  }
  return { at, rest };
}
