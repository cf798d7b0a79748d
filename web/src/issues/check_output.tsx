// What the checks printed when the last attempt at an issue failed.
import type { JSX } from "preact";
import type { Issue } from "../api/types";
import { Empty, Loaded } from "../parts/states";
import { reasonWords } from "../parts/words";
import { marked } from "../text/shown";
import { useAttempts } from "./attempts";

interface Ran {
  what: string;
  output: string;
}

export function CheckOutput({ issue }: { issue: Issue }): JSX.Element {
  const attempts = useAttempts(issue);
  return (
    <Loaded from={attempts} rows={3}>
      {(page) => {
        const last = page.data[page.data.length - 1];
        const failed: Ran[] = (last?.verifications ?? []).flatMap((run) =>
          (run.commands ?? []).filter((command) => command.result !== "passed" && command.output).map((command) => ({ what: `${command.name}: ${reasonWords(command.result)} (exit ${command.exit_code})`, output: command.output })),
        );
        if (failed.length === 0) return <Empty title={last ? "No check printed anything about it." : "No fix was tried."}>{last?.attempt.detail}</Empty>;
        return (
          <>
            {failed.map((ran, index) => (
              <figure key={index} class="ran">
                <figcaption>{ran.what}</figcaption>
                <pre class="raw raw-wrap" tabIndex={0}>
                  {marked(ran.output)}
                </pre>
              </figure>
            ))}
          </>
        );
      }}
    </Loaded>
  );
}
