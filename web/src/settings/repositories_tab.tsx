// The repositories of this server: add one, see the commands it wants to run, and allow them.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../api/client";
import { addRepository, getRepository, getSetup, listJobs } from "../api/operations";
import { useResource } from "../api/resource";
import type { Repository } from "../api/types";
import { atRepository, loadRepositories, repositories } from "../app/repositories";
import { Link } from "../app/router";
import { attempt, toast } from "../app/toasts";
import { ImportButton } from "../inbox/import_report";
import { ReviewButton } from "../inbox/review";
import { Icon } from "../parts/icon";
import { Loaded } from "../parts/states";
import { Time } from "../parts/words";
import { canSetUp, SetUp } from "./set_up";
import { Commands, TrustPanel, untrustedOf } from "./trust_panel";

function One({ repository }: { repository: Repository }): JSX.Element {
  const detail = useResource(`about ${repository.id}`, (signal) => getRepository({ id: repository.id }, { signal }));
  const setup = useResource(`setup ${repository.id}`, (signal) => getSetup({ id: repository.id }, { signal }));
  return (
    <section class="panel" aria-label={repository.name}>
      <div class="panel-head">
        <h2>
          <Link class="plain" to={atRepository(repository.id, "/issues")}>
            {repository.name}
          </Link>
        </h2>
        <code class="path clip">{repository.path}</code>
        <span class="hint end wide-only">
          served since <Time at={repository.added_at} />
        </span>
      </div>
      <div class="panel-body stack">
        <Loaded from={detail} rows={2}>
          {(data) =>
            untrustedOf(data).length > 0 ? (
              <>
                <h3>May emend run these commands?</h3>
                <TrustPanel detail={data} onDone={detail.reload} />
              </>
            ) : (
              <>
                <div class="row">
                  <Icon name="check" /> <span class="grow">{data.command_files.length > 0 ? "Its commands are allowed." : "It asks for no commands."}</span>
                  <ImportButton repository={repository.id} />
                  <ReviewButton repository={repository.id} name={`Review ${repository.name}`} />
                </div>
                {data.command_files.length > 0 && (
                  <details>
                    <summary>The commands</summary>
                    <Commands detail={data} only={data.command_files} />
                  </details>
                )}
                {canSetUp(setup.data) && (
                  <>
                    <h3>Which checks must a fix pass?</h3>
                    <SetUp repository={repository.id} setup={setup.data!} onDone={() => (setup.reload(), detail.reload())} />
                  </>
                )}
              </>
            )
          }
        </Loaded>
      </div>
    </section>
  );
}

// "https://...", "ssh://..." and "git@example.org:team/project" are cloned by the server; everything else is a directory.
export const isAddress = (place: string): boolean => /^[a-z][a-z+]*:\/\//.test(place) || /^[\w.-]+@[\w.-]+:/.test(place);

const kLookAgainMs = 700;

// The name of what was added, once it is there: a clone takes a while.
async function added(wanted: { path: string } | { url: string }): Promise<string> {
  const begun = await addRepository(wanted);
  if (!("job_id" in begun)) return begun.name;
  for (;;) {
    const job = (await listJobs({ limit: 200 })).data.find((one) => one.id === begun.job_id);
    if (job?.state === "failed") throw new ApiError(0, "not-cloned", `It could not be cloned: ${job.problem ?? "no reason was given"}`);
    if (job?.state === "done") return (await getRepository({ id: (job.result as { repository_id: string }).repository_id })).name;
    await new Promise((resolve) => setTimeout(resolve, kLookAgainMs));
  }
}

export function RepositoriesTab(): JSX.Element {
  const [place, setPlace] = useState("");
  const [busy, setBusy] = useState(false);
  const add = async (): Promise<void> => {
    setBusy(true);
    const done = await attempt(async () => {
      const name = await added(isAddress(place.trim()) ? { url: place.trim() } : { path: place.trim() });
      await loadRepositories();
      toast(`${name} is served`);
    });
    setBusy(false);
    if (done) setPlace("");
  };
  return (
    <div class="stack">
      <form class="row" onSubmit={(event) => (event.preventDefault(), void add())}>
        <label class="field grow">
          Add a repository: its directory on this machine, or its address
          <input type="text" placeholder="/home/me/project or https://example.org/team/project.git" spellcheck={false} value={place} onInput={(event) => setPlace(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary" disabled={!place.trim() || busy}>
          {busy && isAddress(place.trim()) ? "Cloning…" : "Add"}
        </button>
      </form>
      {repositories.value.map((one) => (
        <One key={one.id} repository={one} />
      ))}
      <p class="hint">
        Nothing of a new repository runs before you allow it. What is stored about a repository is kept when it is not served any more; only the owner of the server's token can stop serving one, with <code>DELETE /api/repositories/ID</code>.
      </p>
    </div>
  );
}
