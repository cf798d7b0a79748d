"""The events of bench_sse as FastAPI on uvicorn and uvloop sends them: stored in a log file before they are told, a queue for each reader. What
happens within five milliseconds goes out together, as from ours. "t" of a paced event is when it was due.

"port N" on stdout when it listens; "emit COUNT MICROSECONDS" on stdin; "emitted" when that is done."""

import asyncio
import json
import os
import socket
import sys
import threading
import time

import fastapi
import fastapi.responses
import uvicorn
import uvloop

application = fastapi.FastAPI()
log = open(sys.argv[1], "wb", buffering=0)
frames = []
readers = set()
waiting = []
TEXT = "x" * 1000


async def follow(queue, first):
    try:
        for frame in first:
            yield frame
        while True:
            yield await queue.get()
    finally:
        readers.discard(queue)


@application.get("/api/events")
async def events(request: fastapi.Request):
    given = request.headers.get("last-event-id")
    first = ["retry: 3000\n\n"]
    first += [f"id: {len(frames)}\nevent: stream_start\ndata: {{}}\n\n"] if given is None else frames[int(given):len(frames) - len(waiting)]
    queue = asyncio.Queue()
    readers.add(queue)
    return fastapi.responses.StreamingResponse(follow(queue, first), media_type="text/event-stream")


def emit(due):
    seq = len(frames) + 1
    data = json.dumps({"v": 1, "seq": seq, "ts": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "session_id": "bench", "issue_code": "BE-001",
                       "t": due, "text": TEXT}, separators=(",", ":"))
    log.write(data.encode() + b"\n")
    os.fsync(log.fileno())
    frame = f"id: {seq}\nevent: fix_issue_streaming\ndata: {data}\n\n"
    frames.append(frame)
    waiting.append(frame)
    if len(waiting) == 1:
        asyncio.get_running_loop().call_later(0.005, flush)


def flush():
    together = "".join(waiting)
    waiting.clear()
    for queue in readers:
        queue.put_nowait(together)


async def emit_many(count, wait_us):
    began = time.monotonic_ns()
    for i in range(count):
        due = began + i * wait_us * 1000 if wait_us else time.monotonic_ns()
        await asyncio.sleep(max(0, due - time.monotonic_ns()) / 1e9)
        emit(due)


def listen_to_commands(loop):
    for line in sys.stdin:
        _, count, wait_us = line.split()
        asyncio.run_coroutine_threadsafe(emit_many(int(count), int(wait_us)), loop).result()
        print("emitted", flush=True)
    os._exit(0)


@application.on_event("startup")
async def started():
    threading.Thread(target=listen_to_commands, args=(asyncio.get_running_loop(),), daemon=True).start()


listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", 0))
listener.listen(4096)
print(f"port {listener.getsockname()[1]}", flush=True)
print(f"uvicorn {uvicorn.__version__} on uvloop {uvloop.__version__}", file=sys.stderr)
uvicorn.Server(uvicorn.Config(application, loop="uvloop", http="httptools", log_level="error", access_log=False)).run(sockets=[listener])
