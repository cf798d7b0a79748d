// Existing tests that the fix of an issue wants to change: a person lets it change one, or takes that back.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { newKey } from "../api/client";
import { getIssueTests, openTest } from "../api/operations";
import { useResource } from "../api/resource";
import type { Issue } from "../api/types";
import { attempt } from "../app/toasts";

const nameOf = (one: { file: string; test: string }): string => (one.test ? `${one.file}::${one.test}` : one.file);

export function WantedTests({ issue }: { issue: Issue }): JSX.Element | null {
  const at = { code: issue.code, repository_id: issue.repository_id };
  const tests = useResource(`tests ${issue.id}`, (signal) => getIssueTests(at, { signal }), (event) => event.issue_code === issue.code && (event.type === "issue_test_opened" || event.type === "fix_cycle_completed"));
  const [busy, setBusy] = useState(false);
  const decide = async (test: string, open: boolean): Promise<void> => {
    setBusy(true);
    const done = await attempt(() => openTest(at, { test, open }, { once: newKey() }), open ? `The next fix of ${issue.code} may change ${test}` : `${test} may not be changed any more`);
    setBusy(false);
    if (done) tests.reload();
  };
  if (!tests.data || tests.data.wanted.length + tests.data.opened.length === 0) return null;
  return (
    <ul class="wanted-tests" aria-label="Existing tests">
      {tests.data.wanted.map((one) => (
        <li key={nameOf(one)}>
          <span>
            {issue.code} wants to change <code>{nameOf(one)}</code>
            {one.change && `: ${one.change}`}
          </span>
          <button type="button" disabled={busy} onClick={() => void decide(nameOf(one), true)}>
            Open this test
          </button>
        </li>
      ))}
      {tests.data.opened.map((one) => (
        <li key={nameOf(one)}>
          <span>
            The fix may change <code>{nameOf(one)}</code>
            {one.reason && `: ${one.reason}`}
          </span>
          <button type="button" disabled={busy} onClick={() => void decide(nameOf(one), false)}>
            Take back
          </button>
        </li>
      ))}
    </ul>
  );
}
