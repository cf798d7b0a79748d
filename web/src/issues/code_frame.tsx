import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { getBlob } from "../api/operations";
import { useResource } from "../api/resource";
import type { Issue } from "../api/types";
import { codeOf, highlighter, wantColours } from "../changes/drawn_line";
import { Empty, Loaded } from "../parts/states";

const kAround = 10;

// Ten lines around the issue, as the last commit has them.
export function CodeFrame({ issue }: { issue: Issue }): JSX.Element {
  const first = issue.range?.start_line ?? 1;
  const last = issue.range?.end_line ?? first;
  const blob = useResource(issue.file && `blob ${issue.repository_id} ${issue.file} ${first}`, (signal) =>
    getBlob({ id: issue.repository_id, path: issue.file!, start: Math.max(1, first - kAround), end: last + kAround }, { signal }),
  );
  useEffect(wantColours, []);
  const colours = highlighter.value;
  const tokens = blob.data && colours ? colours.tokensOf(blob.data.lines, colours.languageOf(blob.data.path)) : [];
  if (!issue.file) return <Empty icon="file" title="This issue is not about a file." />;
  return (
    <Loaded from={blob} rows={8}>
      {(data) => (
        <figure class="code-frame">
          <figcaption>
            {data.path} <span class="hint">at {data.commit.slice(0, 12)}</span>
          </figcaption>
          <div class="code-scroll" tabIndex={0} role="group" aria-label={`Lines of ${data.path}`}>
            <table>
              <tbody>
                {data.lines.map((line, index) => {
                  const number = data.start + index;
                  const marked = issue.range !== null && number >= first && number <= last;
                  return (
                    <tr key={number} class={marked ? "marked" : undefined}>
                      <td class="line-number">
                        {marked && <span class="visually-hidden">here: </span>}
                        {number}
                      </td>
                      <td class="line-text">{codeOf({ text: line, marks: [] }, tokens[index] ?? [])}</td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </div>
          {data.lines.length === 0 && <Empty title={`The file has ${data.total_lines} lines now; this line no longer exists.`} />}
        </figure>
      )}
    </Loaded>
  );
}
