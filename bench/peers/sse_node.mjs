// The events of bench_sse as a plain Node server sends them: stored in a log file before they are told, written to each reader in turn. What happens
// within five milliseconds goes out together, as from ours. "t" of a paced event is when it was due: who is busy sending then is late with it.
// "port N" on stdout when it listens; "emit COUNT MICROSECONDS" on stdin; "emitted" when that is done.
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const log = openSync(process.argv[2], "w");
const text = "x".repeat(1000);
const frames = [];
const readers = new Set();
const waiting = [];
let timer = null;

const server = createServer((request, response) => {
  const last = Number(request.headers["last-event-id"] ?? frames.length);
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  response.write("retry: 3000\n\n");
  if (request.headers["last-event-id"] === undefined) response.write(`id: ${last}\nevent: stream_start\ndata: {}\n\n`);
  for (const frame of frames.slice(last, frames.length - waiting.length)) response.write(frame);
  readers.add(response);
  response.on("close", () => readers.delete(response));
});

function emit(due) {
  const seq = frames.length + 1;
  const data = { v: 1, seq, ts: new Date().toISOString(), session_id: "bench", issue_code: "BE-001", t: due, text };
  const json = JSON.stringify(data);
  writeSync(log, json + "\n");
  fsyncSync(log);
  const frame = `id: ${seq}\nevent: fix_issue_streaming\ndata: ${json}\n\n`;
  frames.push(frame);
  waiting.push(frame);
  timer ??= setTimeout(flush, 5);
}

function flush() {
  const together = waiting.splice(0).join("");
  timer = null;
  for (const reader of readers) {
    if (reader.writableLength > 16_000_000) reader.destroy(); // too far behind
    else reader.write(together);
  }
}

const now = () => Number(process.hrtime.bigint());
const pause = (ms) => new Promise((resolve) => (ms > 0 ? setTimeout(resolve, ms) : setImmediate(resolve)));

server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => console.log(`port ${server.address().port}`));
for await (const line of createInterface({ input: process.stdin })) {
  const [, count, wait] = line.split(" ").map(Number);
  const began = now();
  for (let i = 0; i < count; ++i) {
    const due = wait > 0 ? began + i * wait * 1000 : now();
    await pause((due - now()) / 1e6);
    emit(due);
  }
  console.log("emitted");
}
closeSync(log);
process.exit(0);
