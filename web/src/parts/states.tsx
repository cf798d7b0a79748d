// The states every list and panel can be in besides being full: loading, empty, failed.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "../api/client";
import type { Resource } from "../api/resource";
import { toast } from "../app/toasts";
import { Icon, type IconName } from "./icon";

export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    toast(`The browser does not allow copying. ${what}: ${text}`, "failed");
  }
}

const kPatienceMs = 150; // faster answers show no skeleton at all

export function Skeleton({ rows = 4 }: { rows?: number }): JSX.Element | null {
  const [shown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), kPatienceMs);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return <div class="waiting" hidden />;
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} class="skeleton-row" />
      ))}
    </div>
  );
}

export function Empty({ icon, title, children }: { icon?: IconName; title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      {icon && <Icon name={icon} />}
      <p class="empty-title">{title}</p>
      {children && <div class="empty-more">{children}</div>}
    </div>
  );
}

export function Failed({ error, retry }: { error: ApiError; retry?: () => void }): JSX.Element {
  return (
    <div class="failed" role="alert">
      <Icon name="alert" />
      <div>
        <p class="failed-title">{error.problem?.title ?? (error.code === "offline" ? "Not connected" : "The request failed")}</p>
        <p>{error.message}</p>
        <div class="row">
          {retry && (
            <button type="button" onClick={retry}>
              Try again
            </button>
          )}
          <button type="button" onClick={() => void copyText(error.details, "Details")}>
            Copy details
          </button>
          {error.problem && (
            <a href={error.problem.type} target="_blank" rel="noreferrer">
              What does this mean?
            </a>
          )}
        </div>
      </div>
    </div>
  );
}

// Shows what is there; a failed refresh does not take away what was shown before.
export function Loaded<T>({ from, rows, children }: { from: Resource<T>; rows?: number; children: (data: T) => ComponentChildren }): JSX.Element | null {
  if (from.data === undefined) return from.error ? <Failed error={from.error} retry={from.reload} /> : <Skeleton rows={rows} />;
  return (
    <>
      {from.error && <Failed error={from.error} retry={from.reload} />}
      {children(from.data)}
    </>
  );
}
