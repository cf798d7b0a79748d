import type { JSX } from "preact";
import { Empty } from "../parts/states";
import { Chip, reasonWords, span } from "../parts/words";
import type { SessionState } from "./session_state";

const kinds: Record<string, string> = { baseline: "before any change", alone: "with this fix alone", combined: "all fixes together", without_patch: "without the fix again", own_tests_base: "its own tests without the fix", elsewhere: "all fixes, as on a build server" };

export function ChecksTab({ state, only }: { state: SessionState; only: string | null }): JSX.Element {
  const checks = state.checks.filter((check) => !only || check.issue === only || check.issue === null);
  if (checks.length === 0) return <Empty title="The checks have not run yet." />;
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label="Verification">
      <table class="table">
        <thead>
          <tr>
            {["Issue", "When", "Command", "Result", "Exit code", "Time"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {checks.flatMap((check) =>
            check.commands.map((command, index) => (
              <tr key={`${check.seq} ${index}`}>
                <td>{check.issue && <code class="code">{check.issue}</code>}</td>
                <td>{kinds[check.kind] ?? reasonWords(check.kind)}</td>
                <th scope="row" class="clip-cell" title={command.name}>
                  {command.name}
                </th>
                <td>
                  <Chip tone={command.result === "passed" ? "good" : "bad"}>{reasonWords(command.result)}</Chip> {command.failed_before && <Chip tone="warn">failed before</Chip>}
                </td>
                <td class="number">{command.exit_code}</td>
                <td class="number">{span(command.duration_ms)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}
