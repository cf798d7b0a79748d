import { afterEach, expect, test, vi } from "vitest";
import type { LiveEvent } from "@web/api/types";
import { connection, eventOf, onLive, retryNow, startLive } from "@web/live/live";

afterEach(() => vi.unstubAllGlobals());

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 300 && !holds(); ++turn) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(holds()).toBe(true);
};

test("after a lost line it comes back with the number of the last event, and says so", async () => {
  const asked: (string | undefined)[] = [];
  const hang: ReadableStreamDefaultController<Uint8Array>[] = [];
  vi.stubGlobal("fetch", (_url: string, options: { headers: Record<string, string> }) => {
    asked.push(options.headers["Last-Event-ID"]);
    const frames = asked.length === 1 ? 'id: 41\nevent: stream_start\ndata: {"seq":41}\n\nid: 42\nevent: fix_notice\ndata: {"seq":42,"session_id":"s"}\n\n' : 'id: 43\nevent: fix_notice\ndata: {"seq":43,"session_id":"s"}\n\n';
    const body = new ReadableStream<Uint8Array>({ start: (controller) => (controller.enqueue(bytes(frames)), void hang.push(controller)) });
    return Promise.resolve(new Response(body, { status: 200 }));
  });
  vi.stubGlobal("BroadcastChannel", undefined);
  const heard: LiveEvent[] = [];
  const forget = onLive((event) => void heard.push(event));
  const stop = new AbortController();
  startLive(stop.signal);
  await until(() => heard.some((event) => event.seq === 42));
  expect(connection.value).toBe("live");
  hang[0]!.close(); // the server was stopped
  await until(() => connection.value === "reconnecting");
  retryNow();
  await until(() => heard.some((event) => event.seq === 43));
  expect(asked).toEqual([undefined, "42"]);
  expect(heard.map((event) => event.type)).toEqual(["stream_start", "fix_notice", "stream_resumed", "fix_notice"]);
  expect(connection.value).toBe("live");
  forget();
  stop.abort();
});

test("a frame that is no JSON is left out", () => {
  expect(eventOf({ id: "1", event: "x", data: "{" })).toBeNull();
  expect(eventOf({ id: "7", event: "stream_gap", data: '{"oldest_id":3}' })).toMatchObject({ seq: 7, type: "stream_gap", oldest_id: 3 });
});
