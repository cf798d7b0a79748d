// What a view shows of something the server knows: loading, there, there but being refreshed, or failed. Old data stays while new comes.
import { useEffect, useRef, useState } from "preact/hooks";
import { onLive } from "../live/live";
import type { LiveEvent } from "./types";
import { ApiError } from "./client";

export interface Resource<T> {
  data: T | undefined;
  error: ApiError | undefined;
  loading: boolean; // nothing to show yet
  updating: boolean;
  reload: () => void;
}

interface Held<T> {
  key: string;
  data?: T;
  error?: ApiError;
  busy: boolean;
}

const kQuietMs = 250; // events come in bursts; one question answers them all

// key: when it changes the old answer is not shown any more. refresh: which events make the answer old.
export function useResource<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>, refresh?: (event: LiveEvent) => boolean): Resource<T> {
  const [held, setHeld] = useState<Held<T>>({ key: "", busy: false });
  const [round, setRound] = useState(0);
  const current = useRef({ load, refresh });
  current.current = { load, refresh };

  useEffect(() => {
    if (key === null) return;
    const abort = new AbortController();
    setHeld((old) => (old.key === key ? { ...old, busy: true } : { key, busy: true }));
    current.current.load(abort.signal).then(
      (data) => !abort.signal.aborted && setHeld({ key, data, busy: false }),
      (problem: unknown) => {
        if (abort.signal.aborted) return;
        const error = problem instanceof ApiError ? problem : new ApiError(0, "unexpected", String(problem));
        setHeld((old) => ({ key, data: old.key === key ? old.data : undefined, error, busy: false }));
      },
    );
    return () => abort.abort();
  }, [key, round]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setRound((n) => n + 1);
      }, kQuietMs);
    };
    const stop = onLive((event) => {
      if (event.type === "stream_gap" || event.type === "stream_resumed" || current.current.refresh?.(event)) again();
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);

  const mine = held.key === key;
  return {
    data: mine ? held.data : undefined,
    error: mine ? held.error : undefined,
    loading: key !== null && (!mine || (held.busy && held.data === undefined && held.error === undefined)),
    updating: mine && held.busy && held.data !== undefined,
    reload: () => setRound((n) => n + 1),
  };
}
