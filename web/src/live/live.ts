// The live events of everything, for all tabs of this browser over one connection: the tab that holds the lock reads the stream and tells
// the others. Comes back by itself, where it was.
import { signal } from "@preact/signals";
import { ApiError } from "../api/client";
import { followEventsAddress } from "../api/operations";
import type { LiveEvent } from "../api/types";
import type { Frame } from "./event_parser";
import { readStream } from "./stream";

export type Connection = "connecting" | "live" | "reconnecting" | "offline";
export const connection = signal<Connection>("connecting");
export const retryAt = signal<number | null>(null); // when the next try is due
export const lastSeq = signal(0);

type Listener = (event: LiveEvent) => void;
const listeners = new Set<Listener>();

export function onLive(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// While a person wants the view to stand still, events wait. Past a limit what waits is forgotten, and everything is asked for again.
export const paused = signal(false);
const kMostWaiting = 10_000;
let waiting: LiveEvent[] = [];

function hand(event: LiveEvent): void {
  for (const listener of [...listeners]) listener(event);
}

export function pause(on: boolean): void {
  paused.value = on;
  if (on) return;
  const held = waiting;
  waiting = [];
  for (const event of held.length > kMostWaiting ? [control("stream_gap")] : held) hand(event);
}

function tell(event: LiveEvent): void {
  if (event.seq > lastSeq.value) lastSeq.value = event.seq;
  if (!paused.value) return hand(event);
  if (waiting.length <= kMostWaiting) waiting.push(event);
}

const control = (type: LiveEvent["type"]): LiveEvent => ({ type, seq: 0, ts: "", session_id: "" });

export function eventOf(frame: Frame): LiveEvent | null {
  try {
    const data = JSON.parse(frame.data || "{}") as Record<string, unknown>;
    const seq = typeof data.seq === "number" ? data.seq : Number(frame.id ?? 0);
    return { session_id: "", ts: "", ...data, seq, type: frame.event as LiveEvent["type"] };
  } catch {
    return null; // not one of ours; the next one may be
  }
}

type Message = { kind: "event"; event: LiveEvent } | { kind: "state"; connection: Connection; retryAt: number | null } | { kind: "who" } | { kind: "retry" };

const kFirstWaitMs = 1_000;
const kLongestWaitMs = 15_000;
const kOfflineAfter = 3; // failed tries in a row

class Leader {
  private seen: number | null = lastSeq.peek() > 0 ? lastSeq.peek() : null; // the tab that read before this one got so far
  private failed = 0;
  private wake: (() => void) | null = null;

  constructor(private readonly channel: BroadcastChannel | null) {}

  publish(): void {
    this.channel?.postMessage({ kind: "state", connection: connection.value, retryAt: retryAt.value } satisfies Message);
  }

  retryNow(): void {
    this.wake?.();
  }

  private state(next: Connection, due: number | null = null): void {
    connection.value = next;
    retryAt.value = due;
    this.publish();
  }

  private take(frame: Frame): void {
    const event = eventOf(frame);
    if (!event) return;
    if (event.type === "stream_gap") lastSeq.value = 0; // our numbers are not theirs: everything is asked for again
    if (event.seq > 0) this.seen = event.seq;
    tell(event);
    this.channel?.postMessage({ kind: "event", event } satisfies Message);
  }

  private opened(): void {
    const back = this.failed > 0;
    this.failed = 0;
    this.state("live");
    if (!back) return;
    // What has no event of its own (jobs, questions) may have changed meanwhile.
    tell(control("stream_resumed"));
    this.channel?.postMessage({ kind: "event", event: control("stream_resumed") } satisfies Message);
  }

  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      try {
        await readStream(followEventsAddress(), { after: this.seen, signal: stop, onOpen: () => this.opened(), onFrame: (frame) => this.take(frame) });
      } catch (problem) {
        if (stop.aborted) return;
        if (problem instanceof ApiError && problem.status === 401) return this.state("offline");
      }
      if (stop.aborted) return;
      this.failed += 1;
      const wait = Math.min(kLongestWaitMs, kFirstWaitMs * 2 ** Math.min(this.failed - 1, 4));
      this.state(this.failed >= kOfflineAfter ? "offline" : "reconnecting", Date.now() + wait);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, wait);
        this.wake = () => (clearTimeout(timer), resolve());
      });
      this.wake = null;
    }
  }
}

let leader: Leader | null = null;
let channel: BroadcastChannel | null = null;

export function retryNow(): void {
  if (leader) leader.retryNow();
  else channel?.postMessage({ kind: "retry" } satisfies Message);
}

function hear(message: Message): void {
  if (message.kind === "who" && leader) leader.publish();
  if (message.kind === "retry" && leader) leader.retryNow();
  if (leader) return;
  if (message.kind === "event") tell(message.event);
  if (message.kind === "state") {
    connection.value = message.connection;
    retryAt.value = message.retryAt;
  }
}

export function startLive(stop: AbortSignal): void {
  channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("emend-live");
  channel?.addEventListener("message", (received: MessageEvent<Message>) => hear(received.data));
  stop.addEventListener("abort", () => channel?.close());
  const lead = async (): Promise<void> => {
    leader = new Leader(channel);
    await leader.run(stop);
    leader = null;
  };
  // Locks exist in secure contexts only; loopback is one. Elsewhere every tab has a line of its own.
  if (!channel || !navigator.locks) {
    void lead();
    return;
  }
  channel.postMessage({ kind: "who" } satisfies Message);
  navigator.locks.request("emend-live", { signal: stop }, lead).catch(() => {});
}
