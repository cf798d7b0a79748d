// What agents print. Follows its end until the reader scrolls up.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useActions } from "../app/keys";
import { Icon } from "../parts/icon";
import { Empty } from "../parts/states";
import { count } from "../parts/words";
import { type ListHandle, VirtualList } from "../parts/virtual_list";
import { foldAnswers } from "./log_lines";
import type { SessionState } from "./session_state";

const kLineHeight = 20;

export function LogTab({ state, only, live }: { state: SessionState; only: string | null; live: boolean }): JSX.Element {
  const [follow, setFollow] = useState(true);
  const [times, setTimes] = useState(false);
  const [answers, setAnswers] = useState(false);
  const [wanted, setWanted] = useState("");
  const handle = useRef<ListHandle>(null);
  const needle = wanted.toLowerCase();
  const found = state.log.filter((line) => (!only || line.issue === only) && (!needle || line.text.toLowerCase().includes(needle)));
  const folding = !answers && !needle;
  const lines = useMemo(() => (folding ? foldAnswers(found) : found), [folding, found.length, only, needle, found[found.length - 1]]);
  useEffect(() => {
    if (follow) handle.current?.toEnd();
  }, [lines.length, follow]);
  useActions([{ keys: "Shift+F", what: "Follow the log", group: "Session", run: () => setFollow((now) => !now) }]);
  return (
    <div class="log">
      <div class="log-bar">
        <input type="search" aria-label="Search the log" placeholder="Search the log" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()} />
        <label class="choice">
          <input type="checkbox" checked={times} onChange={() => setTimes(!times)} /> times
        </label>
        <label class="choice">
          <input type="checkbox" checked={answers} onChange={() => setAnswers(!answers)} /> answers in JSON
        </label>
        <span class="hint">
          {count(lines.length, "line")}
          {only ? ` of ${only}` : ""}
          {state.logLeftOut > 0 ? `, ${state.logLeftOut.toLocaleString("en")} earlier ones not shown` : ""}
        </span>
      </div>
      {lines.length === 0 ? (
        <Empty title={needle ? "No matching line." : live ? "Nothing was printed yet." : "Nothing was printed."} />
      ) : (
        <VirtualList
          rows={lines.length}
          rowHeight={kLineHeight}
          class="log-lines"
          handle={handle}
          attributes={{ role: "log", "aria-live": "off", "aria-label": "Log", tabIndex: 0 }}
          onScrollBy={(atEnd) => setFollow(atEnd)}
          render={(row) => {
            const line = lines[row]!;
            return (
              <div key={row} class={line.channel === "stderr" ? "log-line log-error" : "log-line"} style={{ height: `${kLineHeight}px` }}>
                {times && <span class="log-time">{line.ts.slice(11, 19)}</span>}
                {!only && <span class="log-issue">{line.issue ?? ""}</span>}
                <span class="log-text">{line.text}</span>
              </div>
            );
          }}
        />
      )}
      {!follow && live && lines.length > 0 && (
        <button type="button" class="pill log-jump" onClick={() => setFollow(true)}>
          <Icon name="down" /> Jump to live
        </button>
      )}
    </div>
  );
}
