// A diff, drawn. Signs and numbers carry the meaning; colours only help. Only what is near the window is drawn: the rest is room.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type DiffFile, type DiffLine, type Hunk, markWords, sideBySide } from "./diff";
import { codeOf, highlighter, wantColours } from "./drawn_line";
import type { Token } from "./highlight";
import { Shown } from "../text/shown";

const kindClass = { " ": "diff-same", "+": "diff-added", "-": "diff-removed" } as const;
const kindWord = { " ": "", "+": "added: ", "-": "removed: " } as const;
const kChunk = 30; // lines that are drawn together
const kRow = 24; // pixels, as the styles have it
const kAhead = "1200px 0px";

export interface LineProps {
  onLine?: (line: DiffLine) => void;
  under?: (line: DiffLine) => ComponentChildren;
}

function Text({ line, tokens }: { line: DiffLine; tokens: readonly Token[] }): JSX.Element {
  return (
    <>
      <span class="diff-sign" aria-hidden="true">
        {line.kind}
      </span>
      {line.kind !== " " && <span class="visually-hidden">{kindWord[line.kind]}</span>}
      {codeOf(line, tokens)}
    </>
  );
}

function Number_({ line, side, onLine }: { line: DiffLine; side: "old" | "new"; onLine?: (line: DiffLine) => void }): JSX.Element {
  const number = line[side];
  if (number === null) return <td class="diff-number" />;
  if (!onLine || (side === "old" && line.kind === " ")) return <td class="diff-number">{number}</td>;
  return (
    <td class="diff-number">
      <button type="button" class="line-button" aria-label={`Comment on ${side} line ${number}`} onClick={() => onLine(line)}>
        {number}
      </button>
    </td>
  );
}

type Pair = [DiffLine | null, DiffLine | null];
type Row = { one: DiffLine } | { pair: Pair };
type TokensOf = (line: DiffLine) => readonly Token[];

const rowsOf = (lines: readonly DiffLine[], layout: "unified" | "split"): Row[] => (layout === "split" ? sideBySide([...lines]).map((pair) => ({ pair })) : lines.map((one) => ({ one })));

const linesOf = (rows: readonly Row[]): DiffLine[] => rows.flatMap((row) => ("one" in row ? [row.one] : row.pair.filter((line): line is DiffLine => line !== null)));

function Unified({ line, tokens, onLine, under }: { line: DiffLine; tokens: TokensOf } & LineProps): JSX.Element {
  const below = under?.(line);
  return (
    <>
      <tr class={kindClass[line.kind]}>
        <Number_ line={line} side="old" onLine={onLine} />
        <Number_ line={line} side="new" onLine={onLine} />
        <td class="diff-line">
          <Text line={line} tokens={tokens(line)} />
        </td>
      </tr>
      {below && (
        <tr class="diff-below">
          <td colSpan={3}>{below}</td>
        </tr>
      )}
    </>
  );
}

function Split({ pair: [left, right], tokens, onLine, under }: { pair: Pair; tokens: TokensOf } & LineProps): JSX.Element {
  const below = (left && left !== right && under?.(left)) || (right && under?.(right));
  const side = (line: DiffLine | null, which: "old" | "new"): JSX.Element =>
    line ? (
      <>
        <Number_ line={line} side={which} onLine={onLine} />
        <td class={`diff-line ${kindClass[line.kind]}`}>
          <Text line={line} tokens={tokens(line)} />
        </td>
      </>
    ) : (
      <>
        <td class="diff-number" />
        <td class="diff-line diff-nothing" />
      </>
    );
  return (
    <>
      <tr>
        {side(left, "old")}
        {side(right, "new")}
      </tr>
      {below && (
        <tr class="diff-below">
          <td colSpan={4}>{below}</td>
        </tr>
      )}
    </>
  );
}

// One watcher for all: a chunk is drawn once it comes near, and stays. At most one a frame, so that scrolling stays smooth; what comes into
// sight is drawn first.
const waiting = new Map<Element, () => void>();
const coming = new Map<Element, number>(); // how far away it was
let drawing = 0;

function drawNext(): void {
  drawing = 0;
  const [nearest] = [...coming].sort(([, one], [, other]) => one - other);
  if (!nearest) return;
  const [element] = nearest;
  coming.delete(element);
  waiting.get(element)?.();
  waiting.delete(element);
  watcher?.unobserve(element);
  if (coming.size > 0) drawing = requestAnimationFrame(drawNext);
}

const distance = ({ top, bottom }: DOMRectReadOnly): number => Math.max(top - innerHeight, -bottom, 0);

const watcher =
  typeof IntersectionObserver === "undefined"
    ? null
    : new IntersectionObserver(
        (entries) => {
          for (const entry of entries)
            if (entry.isIntersecting) coming.set(entry.target, distance(entry.boundingClientRect));
            else coming.delete(entry.target);
          if (coming.size > 0 && drawing === 0) drawing = requestAnimationFrame(drawNext);
        },
        { rootMargin: kAhead },
      );

function watch(element: Element, draw: () => void): () => void {
  waiting.set(element, draw);
  watcher?.observe(element);
  return () => {
    waiting.delete(element);
    coming.delete(element);
    watcher?.unobserve(element);
  };
}

interface ChunkProps extends LineProps {
  rows: Row[];
  columns: number;
  hunk: Hunk;
  language: string | null;
  first: boolean; // drawn at once
}

function Chunk({ rows, columns, hunk, language, first, ...lines }: ChunkProps): JSX.Element {
  const [near, setNear] = useState(first || watcher === null);
  const box = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const element = box.current;
    if (near || !element || !watcher) return;
    return watch(element, () => setNear(true));
  }, [near]);
  const colours = highlighter.value;
  const tokens = useMemo(() => {
    const found = new Map<DiffLine, readonly Token[]>();
    if (!near || !colours || !language) return found;
    const all = linesOf(rows);
    for (const removed of [true, false]) {
      const side = all.filter((line) => (line.kind === "-" ? removed : line.kind === "+" ? !removed : true));
      colours.tokensOf(side.map((line) => line.text), language).forEach((list, index) => found.set(side[index]!, list));
    }
    return found;
  }, [near, colours, language, rows]);
  if (!near)
    return (
      <tbody ref={box} class="diff-room">
        <tr style={{ height: `${rows.length * kRow}px` }}>
          <td colSpan={columns} />
        </tr>
      </tbody>
    );
  markWords(hunk, linesOf(rows));
  const of: TokensOf = (line) => tokens.get(line) ?? [];
  return <tbody>{rows.map((row, index) => ("one" in row ? <Unified key={index} line={row.one} tokens={of} {...lines} /> : <Split key={index} pair={row.pair} tokens={of} {...lines} />))}</tbody>;
}

export interface Images {
  before: string | null; // addresses
  after: string | null;
}

interface FileProps extends LineProps {
  file: DiffFile;
  images?: Images;
  layout: "unified" | "split";
  wrap: boolean;
  head?: (hunk: Hunk, index: number) => ComponentChildren; // above a hunk, instead of git's own words
  foot?: ComponentChildren; // below the last one
  eager?: boolean; // the first lines are drawn at once
}

function HunkRows({ hunk, index, layout, columns, language, head, eager, ...lines }: { hunk: Hunk; index: number; layout: "unified" | "split"; columns: number; language: string | null; head?: FileProps["head"]; eager: boolean } & LineProps): JSX.Element {
  const size = hunk.lines.length;
  const chunks = useMemo(() => {
    const rows = rowsOf(hunk.lines, layout);
    return Array.from({ length: Math.ceil(rows.length / kChunk) }, (_, at) => rows.slice(at * kChunk, (at + 1) * kChunk));
  }, [hunk, size, layout]);
  return (
    <>
      <tbody data-hunk>
        <tr class="diff-header">
          <td colSpan={columns}>{head ? head(hunk, index) : <span class="diff-at">{hunk.header}</span>}</td>
        </tr>
      </tbody>
      {chunks.map((rows, at) => (
        <Chunk key={at} rows={rows} columns={columns} hunk={hunk} language={language} first={eager && at === 0} {...lines} />
      ))}
    </>
  );
}

// Both versions of a picture, as the server has them; what it does not take for one stays a sentence.
function Pictures({ path, images }: { path: string; images: Images }): JSX.Element {
  const [broken, setBroken] = useState(false);
  if (broken) return <p class="hint diff-note">Binary file: no lines to show.</p>;
  const one = (name: string, address: string | null): JSX.Element => (
    <figure class="diff-image">
      <figcaption class="hint">{name}</figcaption>
      {address ? <img src={address} alt={`${path}, ${name.toLowerCase()}`} loading="lazy" onError={() => setBroken(true)} /> : <p class="hint">There was none.</p>}
    </figure>
  );
  return (
    <div class="diff-images">
      {one("Before", images.before)}
      {one("After", images.after)}
    </div>
  );
}

// How wide the longest line is, in columns of the font: a table whose columns are known need not be measured again with each line that is drawn.
function longestOf(file: DiffFile): number {
  let longest = 0;
  for (const hunk of file.hunks)
    for (const { text } of hunk.lines) {
      const plain = /^[ -~]*$/.test(text);
      longest = Math.max(longest, plain ? text.length : text.length + 7 * (text.split("\t").length - 1) + (text.match(/[^\0-\u10ff]/g)?.length ?? 0));
    }
  return longest;
}

const isPicture = (path: string): boolean => /\.(png|jpe?g|gif|webp)$/i.test(path);

export function FileDiff({ file, images, layout, wrap, head, foot, eager = false, ...lines }: FileProps): JSX.Element {
  useEffect(wantColours, []);
  const colours = highlighter.value;
  const language = colours ? colours.languageOf(file.path) : null;
  const size = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const longest = useMemo(() => longestOf(file), [file, size]);
  if (file.binary && images && isPicture(file.path)) return <Pictures path={file.path} images={images} />;
  if (file.binary) return <p class="hint diff-note">Binary file: no lines to show.</p>;
  if (file.hunks.length === 0) return <p class="hint diff-note">{file.state === "renamed" ? "Only its name changed." : "No line of it changed."}</p>;
  const columns = layout === "split" ? 4 : 3;
  return (
    <div class={wrap ? "diff-scroll diff-wrap" : "diff-scroll"} tabIndex={0} role="group" aria-label={`Changes of ${file.path}`}>
      <table class={`diff diff-${layout}`} style={layout === "unified" && !wrap ? { minWidth: `calc(${longest + 3}ch + 8.2rem)` } : undefined}>
        <colgroup>
          <col class="diff-col-number" />
          {layout === "split" ? <col /> : <col class="diff-col-number" />}
          {layout === "split" && <col class="diff-col-number" />}
          <col />
        </colgroup>
        {file.hunks.map((hunk, index) => (
          <HunkRows key={index} hunk={hunk} index={index} layout={layout} columns={columns} language={language} head={head} eager={eager && index < 8} {...lines} />
        ))}
        {foot && (
          <tbody>
            <tr class="diff-header">
              <td colSpan={columns}>{foot}</td>
            </tr>
          </tbody>
        )}
      </table>
    </div>
  );
}

// A small diff where there is no room for more.
export function SmallDiff({ files, under }: { files: readonly DiffFile[]; under?: LineProps["under"] }): JSX.Element {
  return (
    <div class="diff-files">
      {files.map((file) => (
        <figure key={file.path} class="diff-small">
          <figcaption>
            <Shown ltr text={file.path} />
          </figcaption>
          <FileDiff file={file} layout="unified" wrap={false} eager under={under} />
        </figure>
      ))}
    </div>
  );
}
