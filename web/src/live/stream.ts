// One connection to a stream of events, until it ends, breaks or is silent for too long.
import { failure } from "../api/client";
import { EventParser, type Frame } from "./event_parser";

export const kSilenceMs = 45_000; // the server sends a comment every 15 seconds

export interface StreamOptions {
  after: number | null; // the number of the last event that was seen
  signal: AbortSignal;
  onOpen?: () => void;
  onFrame: (frame: Frame) => void;
  onComment?: () => void;
}

// Resolves with "ended" (the server has nothing more: 204), "closed" (it hung up) or "silent"; rejects with an ApiError or when the line breaks.
export async function readStream(url: string, options: StreamOptions): Promise<"ended" | "closed" | "silent"> {
  const headers: Record<string, string> = { Accept: "text/event-stream" };
  if (options.after !== null) headers["Last-Event-ID"] = String(options.after);
  const silence = new AbortController();
  const stop = (): void => silence.abort();
  options.signal.addEventListener("abort", stop);
  let silent = false;
  const watch = (): ReturnType<typeof setTimeout> => setTimeout(() => ((silent = true), silence.abort()), kSilenceMs);
  let timer = watch();
  try {
    const answer = await fetch(url, { headers, signal: silence.signal, credentials: "same-origin" });
    if (answer.status === 204) return "ended";
    if (!answer.ok || !answer.body) throw await failure(answer);
    options.onOpen?.();
    const reader = answer.body.getReader();
    const decoder = new TextDecoder();
    const parser = new EventParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return "closed";
      clearTimeout(timer);
      timer = watch();
      const text = decoder.decode(value, { stream: true });
      for (const frame of parser.feed(text)) options.onFrame(frame);
      if (text.startsWith(":")) options.onComment?.();
    }
  } catch (problem) {
    if (silent) return "silent";
    throw problem;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", stop);
    silence.abort();
  }
}
