// Trends: is it getting better, and is it worth it? The title is the finding.
import type { ComponentChildren, JSX } from "preact";
import { getTrends } from "../api/operations";
import { useResource } from "../api/resource";
import type { Trends } from "../api/types";
import { namedRepository, repositories } from "../app/repositories";
import { go, here, place } from "../app/router";
import { Empty, Loaded } from "../parts/states";
import { count, money, span } from "../parts/words";
import { save } from "./chart";
import { BarChart, dollars, OpenChart } from "./charts";
import { costPerFix, finding, hours, keptShare, kHourMs, percent, totalsOf, weeksCsv } from "./numbers";
import { Outcomes } from "./outcomes";

const ranges = [
  { weeks: 4, name: "4 weeks" },
  { weeks: 12, name: "12 weeks" },
  { weeks: 52, name: "1 year" },
] as const;

const Figure = ({ name, value, more }: { name: string; value: string; more: string }): JSX.Element => (
  <div class="tally-one">
    <dt>{name}</dt>
    <dd>
      {value}
      <small>{more}</small>
    </dd>
  </div>
);

function Bar({ share, bad = false }: { share: number | null; bad?: boolean }): JSX.Element {
  return (
    <span class="rate">
      <span class="number">{percent(share)}</span>
      <span class="rate-track" aria-hidden="true">
        <span class={bad ? "rate-fill rate-bad" : "rate-fill"} style={{ width: `${(share ?? 0) * 100}%` }} />
      </span>
    </span>
  );
}

function Agents({ agents }: { agents: Trends["agents"] }): JSX.Element | null {
  if (agents.length === 0) return null;
  const taken = (agent: Trends["agents"][number]): number | null => (agent.accepted + agent.rejected > 0 ? agent.rejected / (agent.accepted + agent.rejected) : null);
  return (
    <section class="panel" aria-label="Agents">
      <div class="panel-head">
        <h2>Agents</h2>
        <span class="hint wide-only">Of the fixes that somebody decided about</span>
      </div>
      <div class="table-scroll" tabIndex={0} role="group" aria-label="Agents">
        <table class="table rates">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Fixes</th>
              <th scope="col">Accepted</th>
              <th scope="col">Rejected</th>
            </tr>
          </thead>
          <tbody>
            {agents.map((agent) => (
              <tr key={agent.agent}>
                <th scope="row">{agent.agent}</th>
                <td class="number">{agent.fixes.toLocaleString("en")}</td>
                <td>
                  <Bar share={keptShare(agent)} />
                </td>
                <td>
                  <Bar share={taken(agent)} bad />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Charts({ data, end }: { data: Trends; end: ComponentChildren }): JSX.Element {
  const { weeks } = data;
  const all = totalsOf(weeks);
  const times = weeks.map((week) => week.median_fix_ms).filter((ms): ms is number => ms !== null);
  return (
    <>
      <header class="page-head">
        <div class="grow">
          <h1>{finding(weeks)}</h1>
          <p>
            {namedRepository.value?.name ?? (repositories.value.length > 1 ? "All repositories" : repositories.value[0]?.name)}. {count(all.fixes, "issue")} fixed, {all.before.toLocaleString("en")} were open in the week of {weeks[0]!.week}.
          </p>
        </div>
        <div class="actions">
          {end}
          <button type="button" onClick={() => save("emend-trends.csv", weeksCsv(weeks))}>
            Export CSV
          </button>
        </div>
      </header>
      <dl class="panel tally">
        <Figure name="Open now" value={all.open.toLocaleString("en")} more={`${all.before.toLocaleString("en")} ${weeks.length} weeks ago`} />
        <Figure name="Cost of one fix" value={all.cost !== null && all.fixes > 0 ? money(all.cost / all.fixes) : "–"} more={all.cost === null ? "the agents report no price" : `${money(all.cost)} for ${count(all.fixes, "fix", "fixes")}`} />
        <Figure name="Accepted" value={percent(keptShare(all))} more={all.accepted + all.rejected === 0 ? "nobody decided yet" : `${all.accepted} of ${all.accepted + all.rejected} that were decided`} />
        <Figure name="Time to fix" value={times.length > 0 ? span(times[times.length - 1]!) : "–"} more="median from found to fixed, latest week" />
      </dl>
      <div class="charts">
        <div class="chart-wide">
          <OpenChart weeks={weeks} />
        </div>
        <BarChart title="Cost of one fixed issue" what="Cost" bars={weeks.map((week) => ({ name: week.week, value: costPerFix(week) }))} format={dollars} more={(index) => (weeks[index]!.fixes > 0 ? `${count(weeks[index]!.fixes, "issue")} fixed` : "nothing was fixed")} />
        <BarChart title="Cost a week" what="Cost" bars={weeks.map((week) => ({ name: week.week, value: week.cost_usd }))} format={dollars} more={(index) => count(weeks[index]!.runs, "agent run")} />
        <BarChart title="Time to fix" what="Median" bars={weeks.map((week) => ({ name: week.week, value: week.median_fix_ms === null ? null : week.median_fix_ms / kHourMs }))} format={hours} more={(index) => (weeks[index]!.fixes > 0 ? `from found to fixed, ${count(weeks[index]!.fixes, "issue")}` : "nothing was fixed")} />
        <BarChart title="Fixed a week" what="Fixed" bars={weeks.map((week) => ({ name: week.week, value: week.fixes }))} more={(index) => `${weeks[index]!.accepted} accepted, ${weeks[index]!.rejected} rejected`} />
      </div>
      <Agents agents={data.agents} />
      <Outcomes />
    </>
  );
}

export function Insights(): JSX.Element {
  const id = namedRepository.value?.id ?? null;
  const weeks = ranges.find((range) => String(range.weeks) === place.value.query.get("weeks"))?.weeks ?? 12;
  const trends = useResource(`trends ${id} ${weeks}`, (signal) => getTrends({ weeks, repository_id: id }, { signal }), (event) => event.type === "fix_session_completed" || event.type === "review_completed");
  const choose = (
    <span class="row" role="group" aria-label="How far back">
      {ranges.map((range) => (
        <button key={range.weeks} type="button" class="pill" aria-pressed={range.weeks === weeks} onClick={() => go(here({ weeks: range.weeks === 12 ? null : String(range.weeks) }), { replace: true })}>
          {range.name}
        </button>
      ))}
    </span>
  );
  return (
    <div class="page trends">
      {repositories.value.length === 0 && <Empty title="This server has no repository yet." />}
      <Loaded from={trends} rows={6}>
        {(data) => <Charts data={data} end={choose} />}
      </Loaded>
    </div>
  );
}
