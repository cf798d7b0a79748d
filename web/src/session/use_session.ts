// A session's state, built from its events: first what was, read once from its own stream, then what happens, from the one live stream.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../api/client";
import { followSessionAddress } from "../api/operations";
import type { LiveEvent } from "../api/types";
import { eventOf, lastSeq, onLive } from "../live/live";
import { readStream } from "../live/stream";
import { emptySession, type SessionState, take } from "./session_state";

const kAgainMs = 1_500;

// Reads everything up to now. The stream of a running session does not end by itself: it is left as soon as it reaches events that the live
// stream has told already, what was newest when we began, or has nothing to tell but that it is there.
async function replay(id: string, after: number, newest: number, isKnown: (seq: number) => boolean, onEvent: (event: LiveEvent) => void, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  signal.addEventListener("abort", end);
  try {
    await readStream(followSessionAddress({ id }), {
      after,
      signal: stop.signal,
      onComment: end,
      onFrame: (frame) => {
        if (frame.event === "stream_end") return end();
        const event = eventOf(frame);
        if (!event) return;
        onEvent(event);
        if (event.seq >= newest || isKnown(event.seq)) end();
      },
    });
  } catch (problem) {
    if (!stop.signal.aborted || signal.aborted) throw problem;
  } finally {
    signal.removeEventListener("abort", end);
  }
}

export interface Following {
  state: SessionState;
  caughtUp: boolean;
  error: ApiError | null;
}

// newest: the number of the newest event when the session was asked for.
export function useSession(id: string, newest: number | undefined): Following {
  const state = useRef(emptySession());
  // What is drawn is a copy: who is handed the same object again does not look at it again.
  const [drawn, setDrawn] = useState<SessionState>(state.current);
  const [caughtUp, setCaughtUp] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);

  useEffect(() => {
    if (newest === undefined) return;
    const abort = new AbortController();
    const waiting: LiveEvent[] = [];
    const heard = new Set<number>();
    let live = false;
    let frame = 0;
    const draw = (): void => {
      frame ||= requestAnimationFrame(() => ((frame = 0), setDrawn({ ...state.current })));
    };
    const accept = (event: LiveEvent): void => void (take(state.current, event) && draw());
    const catchUp = async (): Promise<void> => {
      live = false;
      for (;;) {
        try {
          await replay(id, state.current.seq, Math.max(newest, lastSeq.peek()), (seq) => heard.has(seq), accept, abort.signal);
          break;
        } catch (problem) {
          if (abort.signal.aborted) return;
          setError(problem instanceof ApiError && problem.status > 0 ? problem : null);
          if (problem instanceof ApiError && problem.status === 404) return;
          await new Promise((resolve) => setTimeout(resolve, kAgainMs));
          if (abort.signal.aborted) return;
        }
      }
      setError(null);
      for (const event of waiting.splice(0)) accept(event);
      heard.clear();
      live = true;
      setCaughtUp(true);
      draw();
    };
    const stop = onLive((event) => {
      if (event.type === "stream_gap") {
        state.current = emptySession();
        return void catchUp();
      }
      if (event.session_id !== id || event.seq === 0) return;
      if (live) return accept(event);
      heard.add(event.seq);
      waiting.push(event);
    });
    void catchUp();
    return () => {
      abort.abort();
      stop();
      cancelAnimationFrame(frame);
    };
  }, [id, newest === undefined]);

  return { state: drawn, caughtUp, error };
}
