// What became of the fixes: merged, edited, rejected, reverted, changed again, back; by agent, model, rule, language or evidence.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { getInsights } from "../api/operations";
import { useResource } from "../api/resource";
import type { EarnedTrust, Outcomes as OutcomesAnswer } from "../api/types";
import { namedRepository, nameOfRepository, repositories } from "../app/repositories";
import { Loaded } from "../parts/states";
import { capital } from "../parts/words";
import { save } from "./chart";
import { autonomyWords, outcomeColumns, outcomeRow, outcomesCsv } from "./numbers";

const groups = ["agent", "model", "rule", "language", "evidence"] as const;

function Rows({ data, by }: { data: OutcomesAnswer; by: string }): JSX.Element {
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label={`What became of the fixes, by ${by}`}>
      <table class="table rates">
        <thead>
          <tr>
            {[by, ...outcomeColumns].map((name) => (
              <th key={name} scope="col">
                {capital(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...data.data, ...(data.data.length > 1 ? [{ ...data.total, key: "all" }] : [])].map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.key || "not known"}</th>
              {outcomeRow(row).map((text, index) => (
                <td key={index} class="number">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// Who may go on without approval of the plan, and who is on the way to it.
export function Autonomy({ rows }: { rows: readonly EarnedTrust[] }): JSX.Element | null {
  if (rows.length === 0) return null;
  const several = namedRepository.value === null && repositories.value.length > 1; // it is earned for each of them
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label="Autonomy, by agent and rule">
      <table class="table rates">
        <thead>
          <tr>
            {["Agent", ...(several ? ["Repository"] : []), "Rule", "Merged", "Reverted", "Autonomy"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row">{row.agent || "not known"}</th>
              {several && <td>{nameOfRepository(row.repository_id)}</td>}
              <td>{row.rule || "no rule"}</td>
              <td class="number">{row.merged}</td>
              <td class="number">{row.reverted || "–"}</td>
              <td>{autonomyWords(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Outcomes(): JSX.Element {
  const [by, setBy] = useState<(typeof groups)[number]>("agent");
  const id = namedRepository.value?.id ?? null;
  const outcomes = useResource(`insights ${id} ${by}`, (signal) => getInsights({ by, repository_id: id }, { signal }), (event) => event.type === "fix_session_completed");
  return (
    <section class="panel" aria-label="What became of the fixes">
      <div class="panel-head">
        <h2>What became of the fixes</h2>
        <span class="row end" role="group" aria-label="Group by">
          {groups.map((name) => (
            <button key={name} type="button" class="pill" aria-pressed={name === by} onClick={() => setBy(name)}>
              {name}
            </button>
          ))}
          <button type="button" class="small" disabled={!outcomes.data || outcomes.data.total.fixes === 0} onClick={() => outcomes.data && save(`emend-fixes-by-${by}.csv`, outcomesCsv(by, outcomes.data.data))}>
            Export CSV<span class="visually-hidden"> of the fixes by {by}</span>
          </button>
        </span>
      </div>
      <Loaded from={outcomes} rows={2}>
        {(data) => (data.total.fixes === 0 ? <p class="panel-body hint">No fix is on a branch yet.</p> : <Rows data={data} by={by} />)}
      </Loaded>
      <Loaded from={outcomes} rows={1}>
        {(data) => <Autonomy rows={data.autonomy} />}
      </Loaded>
    </section>
  );
}
