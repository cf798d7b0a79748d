// A diff, drawn. Signs and numbers carry the meaning; colours only help.
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type DiffFile, type DiffLine, type Hunk, parseDiff, sideBySide } from "./diff";

function Marked({ line }: { line: DiffLine }): JSX.Element {
  if (!line.mark || line.mark[0] === line.mark[1]) return <>{line.text}</>;
  const [from, to] = line.mark;
  return (
    <>
      {line.text.slice(0, from)}
      <span class="diff-mark">{line.text.slice(from, to)}</span>
      {line.text.slice(to)}
    </>
  );
}

const kindClass = { " ": "diff-same", "+": "diff-added", "-": "diff-removed" } as const;
const kindWord = { " ": "", "+": "added: ", "-": "removed: " } as const;

export interface LineProps {
  onLine?: (line: DiffLine) => void;
  under?: (line: DiffLine) => ComponentChildren;
}

function Text({ line }: { line: DiffLine }): JSX.Element {
  return (
    <>
      <span class="diff-sign" aria-hidden="true">
        {line.kind}
      </span>
      <span class="visually-hidden">{kindWord[line.kind]}</span>
      <Marked line={line} />
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

function Unified({ hunk, onLine, under }: { hunk: Hunk } & LineProps): JSX.Element {
  return (
    <>
      {hunk.lines.map((line, index) => {
        const below = under?.(line);
        return (
          <>
            <tr key={index} class={kindClass[line.kind]}>
              <Number_ line={line} side="old" onLine={onLine} />
              <Number_ line={line} side="new" onLine={onLine} />
              <td class="diff-line">
                <Text line={line} />
              </td>
            </tr>
            {below && (
              <tr key={`${index} below`} class="diff-below">
                <td colSpan={3}>{below}</td>
              </tr>
            )}
          </>
        );
      })}
    </>
  );
}

function Split({ hunk, onLine, under }: { hunk: Hunk } & LineProps): JSX.Element {
  const side = (line: DiffLine | null, which: "old" | "new"): JSX.Element =>
    line ? (
      <>
        <Number_ line={line} side={which} onLine={onLine} />
        <td class={`diff-line ${kindClass[line.kind]}`}>
          <Text line={line} />
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
      {sideBySide(hunk.lines).map(([left, right], index) => {
        const below = (left && left !== right && under?.(left)) || (right && under?.(right));
        return (
          <>
            <tr key={index}>
              {side(left, "old")}
              {side(right, "new")}
            </tr>
            {below && (
              <tr key={`${index} below`} class="diff-below">
                <td colSpan={4}>{below}</td>
              </tr>
            )}
          </>
        );
      })}
    </>
  );
}

interface FileProps extends LineProps {
  file: DiffFile;
  layout: "unified" | "split";
  wrap: boolean;
  tag?: (hunk: Hunk) => ComponentChildren;
}

export function FileDiff({ file, layout, wrap, tag, ...lines }: FileProps): JSX.Element {
  if (file.binary) return <p class="hint diff-note">Binary file: no lines to show.</p>;
  if (file.hunks.length === 0) return <p class="hint diff-note">{file.state === "renamed" ? "Only its name changed." : "No line of it changed."}</p>;
  return (
    <div class={wrap ? "diff-scroll diff-wrap" : "diff-scroll"} tabIndex={0} role="group" aria-label={`Changes of ${file.path}`}>
      <table class={`diff diff-${layout}`}>
        {layout === "split" && (
          <colgroup>
            <col class="diff-col-number" />
            <col />
            <col class="diff-col-number" />
            <col />
          </colgroup>
        )}
        {file.hunks.map((hunk, index) => (
          <tbody key={index} data-hunk>
            <tr class="diff-header">
              <td colSpan={layout === "split" ? 4 : 3}>
                <span class="diff-at">{hunk.header}</span>
                {tag?.(hunk)}
              </td>
            </tr>
            {layout === "split" ? <Split hunk={hunk} {...lines} /> : <Unified hunk={hunk} {...lines} />}
          </tbody>
        ))}
      </table>
    </div>
  );
}

// A small diff where there is no room for more.
export function DiffText({ text }: { text: string }): JSX.Element {
  const files = useMemo(() => parseDiff(text), [text]);
  return (
    <div class="diff-files">
      {files.map((file) => (
        <figure key={file.path} class="diff-small">
          <figcaption>{file.path}</figcaption>
          <FileDiff file={file} layout="unified" wrap={false} />
        </figure>
      ))}
    </div>
  );
}
