// Coming in and going out. A launch link (`emend open`) carries a code that works once; it is exchanged for a cookie that scripts cannot read.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { ApiError, whenLoggedOut } from "../api/client";
import * as operations from "../api/operations";
import { getSignIn, getStatus, logIn } from "../api/operations";
import { startLive } from "../live/live";
import { copyText, Failed } from "../parts/states";
import { Icon } from "../parts/icon";
import { loadRepositories } from "./repositories";
import { place } from "./router";

export type Standing = { state: "entering" } | { state: "in" } | { state: "out"; why: string } | { state: "failed"; error: ApiError };
export const standing = signal<Standing>({ state: "entering" });
export const version = signal("");

// Where people of this server sign in; null = only launch links let in.
type Offer = { label: string; url: string };
const offer = signal<Offer | null>(null);
// What the server says when somebody comes back from there and is not let in.
const kRefusals: Record<string, string> = {
  "no-account": "You have no account here. Ask an administrator to add you.",
  "not-allowed": "You may not sign in here with this account. Ask an administrator.",
  expired: "This sign-in took too long, or was used already. Try again.",
  refused: "The provider did not confirm who you are.",
  unreachable: "The provider cannot be reached now. Try again later.",
};

let live = new AbortController();

const kOut = "You are not logged in.";

async function exchange(code: string): Promise<void> {
  try {
    await logIn({ code });
  } catch (problem) {
    // A link that was used already does not matter to whom it let in.
    if (!(problem instanceof ApiError) || problem.code === "offline") throw problem;
    throw new ApiError(401, "launch-code", "This link was used already or is older than five minutes.");
  }
}

export async function enter(): Promise<void> {
  const given = new URLSearchParams(location.hash.slice(1)), code = given.get("launch");
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  place.value = { path: location.pathname, query: new URLSearchParams(location.search) };
  let why = kRefusals[given.get("sign-in") ?? ""] ?? kOut;
  standing.value = { state: "entering" };
  try {
    if (code) await exchange(code).catch((problem: ApiError) => (problem.code === "launch-code" ? (why = problem.message) : Promise.reject(problem)));
    const status = await getStatus();
    version.value = status.version;
    await loadRepositories();
    standing.value = { state: "in" };
    live.abort();
    live = new AbortController();
    startLive(live.signal);
    whenLoggedOut(() => leave("The login has ended."));
  } catch (problem) {
    const error = problem instanceof ApiError ? problem : new ApiError(0, "unexpected", String(problem));
    if (error.status === 401) await lookForOffer();
    standing.value = error.status === 401 ? { state: "out", why } : { state: "failed", error };
  }
}

async function lookForOffer(): Promise<void> {
  const answer = await getSignIn().catch(() => null);
  offer.value = answer?.sign_in ?? null;
}

function leave(why: string): void {
  live.abort();
  void lookForOffer();
  standing.value = { state: "out", why };
}

export async function logOut(): Promise<void> {
  await operations.logOut().catch(() => {});
  leave("You have logged out.");
}

// The code of a new link arrives while the page is open: pasting the link into the same tab changes nothing but the hash.
addEventListener("hashchange", () => location.hash.startsWith("#launch=") && void enter());

export function Door(): JSX.Element | null {
  const now = standing.value;
  if (now.state === "in" || now.state === "entering") return null;
  return (
    <main class="door">
      <h1>
        <span class="mark" aria-hidden="true">
          <Icon name="check" />
        </span>
        emend
      </h1>
      {now.state === "failed" ? (
        <Failed error={now.error} retry={() => void enter()} />
      ) : offer.value ? (
        <>
          <p role="status">{now.why}</p>
          <p>
            <a class="button" href={`${offer.value.url}?page=${encodeURIComponent(location.pathname + location.search)}`}>
              Sign in with {offer.value.label}
            </a>
          </p>
        </>
      ) : (
        <>
          <p role="status">{now.why} To come in, run this on the machine where emend runs, and open the link it prints:</p>
          <p class="command">
            <code>emend open</code>
            <button type="button" onClick={() => void copyText("emend open", "Command")}>
              <Icon name="copy" /> Copy
            </button>
          </p>
          <p class="hint">The link works once, within five minutes. The login lasts a week in this browser, or until you log out.</p>
        </>
      )}
    </main>
  );
}
