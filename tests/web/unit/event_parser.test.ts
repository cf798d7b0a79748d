import { expect, test } from "vitest";
import { EventParser } from "@web/live/event_parser";

const stream = 'retry: 3000\n\nid: 7\nevent: fix_notice\ndata: {"text":"a"}\n\n: hb\n\nevent: stream_end\ndata: {}\n\n';

test("frames are the same however the bytes are cut", () => {
  const whole = new EventParser().feed(stream);
  expect(whole).toEqual([
    { id: "7", event: "fix_notice", data: '{"text":"a"}' },
    { id: null, event: "stream_end", data: "{}" },
  ]);
  for (let size = 1; size < 12; ++size) {
    const parser = new EventParser();
    const frames = [];
    for (let at = 0; at < stream.length; at += size) frames.push(...parser.feed(stream.slice(at, at + size)));
    expect(frames).toEqual(whole);
  }
});

test("data of several lines, no space after the colon, CR LF", () => {
  expect(new EventParser().feed("data:one\r\ndata: two\r\n\r\n")).toEqual([{ id: null, event: "message", data: "one\ntwo" }]);
});

test("an event that is not complete yet is not told", () => {
  expect(new EventParser().feed("event: a\ndata: 1\n")).toEqual([]);
});
