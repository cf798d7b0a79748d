import type { JSX } from "preact";
import { get, segment } from "../api/client";
import { useResource } from "../api/resource";
import type { MasterTodo } from "../api/types";
import { at, Link } from "../app/router";
import { Empty, Loaded } from "../parts/states";

export function PlanTab({ id }: { id: string }): JSX.Element {
  const plan = useResource(`plan ${id}`, (signal) => get<MasterTodo>(`/api/fix/sessions/${segment(id)}/plan`, {}, signal));
  if (plan.error?.status === 404) return <Empty title="This session has no plan yet." />;
  return (
    <Loaded from={plan} rows={4}>
      {(data) => (
        <ol class="plan">
          {data.execution_steps.map((step) => (
            <li key={step.step}>
              <span class="hint">{step.reason}</span>
              <div class="row">
                {step.issues.map((issue) => (
                  <Link key={issue.code} to={at("/issues", { issue: issue.code })}>
                    <code class="code">{issue.code}</code>
                  </Link>
                ))}
              </div>
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}
