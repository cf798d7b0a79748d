// How it has been going: plots over what was solved, how well, and for how much.
import type { JSX } from "preact";
import { get } from "../api/client";
import { useResource } from "../api/resource";
import type { Facets, Issue, Page, UsageSum } from "../api/types";
import { repository } from "../app/repositories";
import { go, here, place } from "../app/router";
import { Empty, Loaded } from "../parts/states";
import { count, money } from "../parts/words";
import { BarChart } from "./bar_chart";
import { cost, evidence, firstRound, scores, solvedPerWeek } from "./numbers";

const kMostPages = 50; // 10,000 issues; beyond that a plot says so

interface Gathered {
  issues: Issue[];
  complete: boolean;
  regressed: number;
  usage: { total: UsageSum; agents: UsageSum[] };
}

async function workedOn(id: string, signal: AbortSignal): Promise<{ issues: Issue[]; complete: boolean }> {
  const issues: Issue[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: Page<Issue> = await get<Page<Issue>>("/api/issues", { repository_id: id, status: "RESOLVED,MERGED,FAILED", limit: 200, cursor }, signal);
    issues.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor && ++pages < kMostPages);
  return { issues, complete: cursor === null };
}

async function gather(id: string, from: string, signal: AbortSignal): Promise<Gathered> {
  const [worked, usage, regressed] = await Promise.all([
    workedOn(id, signal),
    get<Page<UsageSum> & { total: UsageSum }>("/api/usage", { repository_id: id, group_by: "agent", from }, signal),
    get<Facets>("/api/issues/facets", { repository_id: id, substatus: "regressed" }, signal),
  ]);
  return { ...worked, regressed: regressed.total, usage: { total: usage.total, agents: usage.data } };
}

const ranges = [
  { weeks: 4, name: "4 weeks" },
  { weeks: 12, name: "12 weeks" },
  { weeks: 52, name: "a year" },
] as const;

const Figure = ({ name, value, more }: { name: string; value: string; more?: string }): JSX.Element => (
  <div class="card figure">
    <p class="figure-value">{value}</p>
    <p>{name}</p>
    {more && <p class="hint">{more}</p>}
  </div>
);

export function Insights(): JSX.Element {
  const id = repository.value?.id ?? null;
  const weeks = ranges.find((range) => String(range.weeks) === place.value.query.get("weeks"))?.weeks ?? 12;
  const since = new Date(Date.now() - weeks * 7 * 86_400_000).toISOString().slice(0, 10);
  const gathered = useResource(id && `insights ${id} ${weeks}`, (signal) => gather(id!, since, signal), (event) => event.type === "fix_session_completed");
  return (
    <div class="page">
      <header class="row">
        <h1 class="grow">Insights</h1>
        <div class="row" role="group" aria-label="How far back">
          {ranges.map((range) => (
            <button key={range.weeks} type="button" aria-pressed={range.weeks === weeks} onClick={() => go(here({ weeks: range.weeks === 12 ? null : String(range.weeks) }), { replace: true })}>
              {range.name}
            </button>
          ))}
        </div>
      </header>
      {!id && <Empty title="This server has no repository yet." />}
      <Loaded from={gathered} rows={6}>
        {({ issues, complete, regressed, usage }) => {
          const recent = issues.filter((issue) => issue.updated_at >= since);
          const passed = firstRound(recent);
          const spent = cost(usage.total, recent);
          const solved = recent.filter((issue) => issue.status === "RESOLVED" || issue.status === "MERGED").length;
          return (
            <>
              {!complete && <p class="note">Only the first {count(kMostPages * 200, "issue")} that were worked on are counted.</p>}
              <div class="figures">
                <Figure name="resolved" value={solved.toLocaleString("en")} more={`since ${since}`} />
                <Figure name="resolved in the first round" value={passed.whole > 0 ? `${Math.round((passed.part / passed.whole) * 100)} %` : "–"} more={passed.whole > 0 ? `${passed.part} of ${passed.whole} that were tried` : "nothing was tried"} />
                <Figure name="per resolved issue" value={spent.perSolved === null ? "–" : money(spent.perSolved)} more={spent.total === null ? `${count(spent.runs, "run")}, no price reported` : `at least ${money(spent.total)} in ${count(spent.runs, "run")}`} />
                <Figure name="came back after they were resolved" value={regressed.toLocaleString("en")} more="since the first session" />
              </div>
              <div class="charts">
                <BarChart title="Resolved per week" about="Issues that were fixed, checked, judged and committed; by the week of their last change." bars={solvedPerWeek(recent, weeks)} names={["week of", "solved"]} label={(name) => name.slice(5)} />
                <BarChart title="Scores" about="The last score the judge gave, of 100." bars={scores(recent)} names={["score", "issues"]} />
                <BarChart title="Evidence" about="Evidence of the resolved issues, strongest first." bars={evidence(recent)} names={["evidence", "issues"]} />
                <BarChart title="Cost by agent" about="In US dollars, as reported by the agents." bars={usage.agents.map((agent) => ({ name: agent.key, value: agent.cost_usd ?? 0 }))} names={["agent", "usd"]} format={(value) => `$${value.toFixed(2)}`} />
                <BarChart title="Runs by agent" about="How often each was started." bars={usage.agents.map((agent) => ({ name: agent.key, value: agent.runs }))} names={["agent", "runs"]} />
              </div>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
