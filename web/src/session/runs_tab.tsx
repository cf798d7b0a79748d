// Every run of an agent: what it was told, what it said, what it used. Secrets were taken out before anything was kept.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { getRunLog, getRunPrompt, listRuns } from "../api/operations";
import { useResource } from "../api/resource";
import type { Run, SessionSnapshot } from "../api/types";
import { copyText, Empty, Loaded } from "../parts/states";
import { Chip, money, reasonWords, span, type Tone } from "../parts/words";

const tones: Record<Run["status"], Tone> = { running: "busy", ended: "good", interrupted: "warn" };

function tone(run: Run): Tone {
  const state = (run.state as { status?: string } | null)?.status;
  return run.status === "ended" && state && state !== "ok" ? "bad" : tones[run.status];
}

function word(run: Run): string {
  const state = (run.state as { status?: string } | null)?.status;
  return run.status === "ended" ? reasonWords(state ?? "ended") : run.status;
}

function Text({ run, part }: { run: Run; part: "prompt" | "log" }): JSX.Element {
  const text = useResource(`${part} ${run.id}`, (signal) => (part === "log" ? getRunLog : getRunPrompt)({ id: run.id }, { signal }), (event) => part === "log" && event.run_id === run.id);
  if (text.error?.status === 404) return <Empty title={part === "log" ? "No log was stored." : "No prompt was stored."} />;
  return (
    <Loaded from={text} rows={6}>
      {(data) => (
        <>
          <div class="row">
            <span class="hint grow">{data.length.toLocaleString("en")} characters, as {part === "prompt" ? "prompt" : "output"}, without secrets</span>
            <button type="button" class="small" onClick={() => void copyText(data, part === "prompt" ? "Prompt" : "Log")}>
              Copy
            </button>
          </div>
          <pre class="raw raw-wrap" tabIndex={0} role="region" aria-label={part}>
            {data}
          </pre>
        </>
      )}
    </Loaded>
  );
}

export function RunsTab({ snapshot, only }: { snapshot: SessionSnapshot; only: string | null }): JSX.Element {
  const runs = useResource(`runs ${snapshot.id}`, (signal) => listRuns({ session: snapshot.id }, { signal }), (event) => event.session_id === snapshot.id && event.type.startsWith("agent_run_"));
  const [open, setOpen] = useState<{ id: string; part: "prompt" | "log" } | null>(null);
  const codes = new Map((snapshot.issues ?? []).map((issue) => [issue.id, issue.code]));
  const flip = (id: string, part: "prompt" | "log"): void => setOpen(open?.id === id && open.part === part ? null : { id, part });
  return (
    <Loaded from={runs} rows={4}>
      {(page) => {
        const shown = page.data.filter((run) => !only || run.issue_ids.some((id) => codes.get(id) === only || id === only));
        if (shown.length === 0) return <Empty title="No agent has run yet." />;
        const opened = shown.find((run) => run.id === open?.id);
        return (
          <>
            <div class="table-scroll" tabIndex={0} role="group" aria-label="Agent runs">
              <table class="table">
                <thead>
                  <tr>
                    {["Agent", "Role", "Issues", "State", "Model", "Tokens", "Cost", "Time", "Look"].map((name) => (
                      <th key={name} scope="col">
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {shown.map((run) => (
                    <tr key={run.id} data-current={open?.id === run.id || undefined}>
                        <th scope="row">{run.agent}</th>
                        <td>{reasonWords(run.role)}</td>
                        <td class="clip-cell">{run.issue_ids.map((id) => codes.get(id) ?? id).join(", ")}</td>
                        <td>
                          <Chip tone={tone(run)}>{word(run)}</Chip>
                        </td>
                        <td class="clip-cell">{run.model}</td>
                        <td class="number">{run.usage ? (run.usage.input_tokens + run.usage.output_tokens).toLocaleString("en") : ""}</td>
                        <td class="number">{run.usage && run.usage.cost_usd !== null ? money(run.usage.cost_usd) : "–"}</td>
                        <td class="number">{run.duration_ms !== null ? span(run.duration_ms) : ""}</td>
                        <td>
                          <span class="row">
                            {(["prompt", "log"] as const).map((part) => (
                              <button key={part} type="button" class="small" aria-expanded={open?.id === run.id && open.part === part} onClick={() => flip(run.id, part)}>
                                {part === "prompt" ? "Prompt" : "Log"}
                              </button>
                            ))}
                          </span>
                        </td>
                      </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {opened && open && <Text key={`${open.id} ${open.part}`} run={opened} part={open.part} />}
          </>
        );
      }}
    </Loaded>
  );
}
