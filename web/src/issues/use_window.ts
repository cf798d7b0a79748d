// The rows of a list of issues, kept up to date while they are looked at.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { getIssue } from "../api/operations";
import type { LiveEvent } from "../api/types";
import { onLive } from "../live/live";
import { IssueWindow, type Order } from "./issue_window";
import type { Filters } from "./query";

export const aboutIssues = (event: LiveEvent): boolean => event.type === "issue_updated" || event.type === "fix_issue_completed" || event.type === "fix_issue_started" || event.type === "review_completed";

// The rows of these filters. Rows change in place; new ones wait behind a button, so that nothing moves under the pointer.
export function useWindow(repositoryId: string | null, filters: Filters, order: Order, total: number | undefined): { list: IssueWindow | null; fresh: number; reload: () => void } {
  const [, redraw] = useState(0);
  const [round, setRound] = useState(0);
  const key = JSON.stringify(filters);
  const list = useMemo(() => (repositoryId ? new IssueWindow(repositoryId, filters, order, () => redraw((n) => n + 1)) : null), [repositoryId, key, order, round]);
  const begun = useRef<{ list: IssueWindow | null; total: number | undefined }>({ list: null, total: undefined });
  if (begun.current.list !== list) begun.current = { list, total };
  if (begun.current.total === undefined) begun.current.total = total;
  useEffect(() => {
    list?.want(0, 0);
    return () => list?.stop();
  }, [list]);
  useEffect(
    () =>
      onLive((event) => {
        if (!repositoryId || !event.issue_code || !aboutIssues(event) || !list || list.find(event.issue_code) < 0) return;
        getIssue({ code: event.issue_code, repository_id: repositoryId }).then((issue) => list.put(issue), () => {});
      }),
    [list, repositoryId],
  );
  const fresh = Math.max(0, (total ?? 0) - (begun.current.total ?? 0));
  return {
    list,
    fresh,
    reload: () => {
      begun.current = { list: null, total: undefined };
      setRound((n) => n + 1);
    },
  };
}
