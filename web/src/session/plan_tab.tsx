// The steps of a session. While it waits for approval, steps can be moved and issues skipped.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { changeSessionPlan, getSessionPlanTagged } from "../api/operations";
import { useResource } from "../api/resource";
import type { MasterTodo, PlanChange } from "../api/types";
import { at, Link } from "../app/router";
import { attempt } from "../app/toasts";
import { Icon } from "../parts/icon";
import { Empty, Loaded } from "../parts/states";

interface Draft {
  steps: { reason: string; issues: string[] }[];
  skip: string[];
}

const draftOf = (plan: MasterTodo): Draft => ({ steps: plan.execution_steps.map((step) => ({ reason: step.reason, issues: step.issues.map((issue) => issue.code) })), skip: [] });

export function moved(draft: Draft, from: number, by: number): Draft {
  const to = from + by;
  if (to < 0 || to >= draft.steps.length) return draft;
  const steps = [...draft.steps];
  [steps[from], steps[to]] = [steps[to]!, steps[from]!];
  return { ...draft, steps };
}

// From one place to another, those between move up.
export function dragged(draft: Draft, from: number, to: number): Draft {
  if (from === to || from < 0 || from >= draft.steps.length) return draft;
  const steps = [...draft.steps];
  const [step] = steps.splice(from, 1);
  steps.splice(to, 0, step!);
  return { ...draft, steps };
}

// A step without issues is no step.
export function skipped(draft: Draft, code: string): Draft {
  const steps = draft.steps.map((step) => ({ ...step, issues: step.issues.filter((known) => known !== code) })).filter((step) => step.issues.length > 0);
  return { steps, skip: [...draft.skip, code] };
}

const changeOf = (draft: Draft): PlanChange => ({ steps: draft.steps.map((step) => ({ issues: step.issues, reason: step.reason })), skip: draft.skip });

function Editor({ id, plan, tag, reload }: { id: string; plan: MasterTodo; tag: string; reload: () => void }): JSX.Element {
  const [draft, setDraft] = useState(draftOf(plan));
  const [held, setHeld] = useState<{ from: number; over: number } | null>(null); // the step under the pointer
  useEffect(() => setDraft(draftOf(plan)), [tag]);
  const changed = JSON.stringify(draft) !== JSON.stringify(draftOf(plan));
  const save = (): Promise<unknown> => attempt(() => changeSessionPlan({ id }, changeOf(draft), { ifMatch: tag }), "The plan is changed").then(reload);
  return (
    <>
      {draft.steps.length > 1 && <p class="hint">Drag a step to where it should be done, or move it with Alt and the arrow keys.</p>}
      <ol class="plan plan-edit">
        {draft.steps.map((step, index) => (
          <li
            key={step.issues.join(" ")}
            tabIndex={0}
            aria-label={`Step ${index + 1}`}
            draggable
            class={held?.over === index && held.from !== index ? (held.from < index ? "drop-below" : "drop-above") : undefined}
            onDragStart={(event) => {
              event.dataTransfer?.setData("text/plain", String(index));
              setHeld({ from: index, over: index });
            }}
            onDragOver={(event) => {
              if (!held) return;
              event.preventDefault();
              if (held.over !== index) setHeld({ ...held, over: index });
            }}
            onDrop={(event) => (event.preventDefault(), held && setDraft(dragged(draft, held.from, index)), setHeld(null))}
            onDragEnd={() => setHeld(null)}
            onKeyDown={(event) => {
              if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
              event.preventDefault();
              setDraft(moved(draft, index, event.key === "ArrowUp" ? -1 : 1));
            }}
          >
            <div class="row">
              <span class="hint grow">{step.reason}</span>
              <button type="button" class="small" disabled={index === 0} aria-label={`Move step ${index + 1} up`} onClick={() => setDraft(moved(draft, index, -1))}>
                Up
              </button>
              <button type="button" class="small" disabled={index === draft.steps.length - 1} aria-label={`Move step ${index + 1} down`} onClick={() => setDraft(moved(draft, index, 1))}>
                Down
              </button>
            </div>
            <div class="row">
              {step.issues.map((code) => (
                <span key={code} class="row">
                  <Link to={at("/issues", { issue: code })}>
                    <code class="code">{code}</code>
                  </Link>
                  <button type="button" class="bare" aria-label={`Skip ${code}`} title="Skip" onClick={() => setDraft(skipped(draft, code))}>
                    <Icon name="close" />
                  </button>
                </span>
              ))}
            </div>
          </li>
        ))}
      </ol>
      {draft.skip.length > 0 && <p class="hint">Skipped: {draft.skip.join(", ")}. They stay open.</p>}
      <div class="dialog-end">
        <button type="button" disabled={!changed} onClick={() => setDraft(draftOf(plan))}>
          Undo
        </button>
        <button type="button" class="primary" disabled={!changed || draft.steps.length === 0} onClick={() => void save()}>
          Save the plan
        </button>
      </div>
    </>
  );
}

export function PlanTab({ id, editable }: { id: string; editable: boolean }): JSX.Element {
  const plan = useResource(`plan ${id}`, (signal) => getSessionPlanTagged({ id }, { signal }), (event) => event.session_id === id && /plan/.test(event.type));
  if (plan.error?.status === 404) return <Empty title="This session has no plan yet." />;
  return (
    <Loaded from={plan} rows={4}>
      {({ value, tag }) =>
        editable ? (
          <Editor id={id} plan={value} tag={tag} reload={plan.reload} />
        ) : (
          <ol class="plan">
            {value.execution_steps.map((step) => (
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
        )
      }
    </Loaded>
  );
}
