// Reads a text/event-stream piece by piece. The browser's own EventSource hides comments, and those are how silence is told from a lost line.
export interface Frame {
  id: string | null;
  event: string;
  data: string;
}

export class EventParser {
  private rest = "";
  private id: string | null = null;
  private event = "";
  private data: string[] = [];

  // The frames that are complete now.
  feed(text: string): Frame[] {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop() ?? "";
    const frames: Frame[] = [];
    for (const line of lines) {
      const frame = this.line(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (frame) frames.push(frame);
    }
    return frames;
  }

  private line(line: string): Frame | null {
    if (line === "") return this.dispatch();
    if (line.startsWith(":")) return null;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "id") this.id = value;
    else if (field === "event") this.event = value;
    else if (field === "data") this.data.push(value);
    return null;
  }

  private dispatch(): Frame | null {
    const frame = this.event !== "" || this.data.length > 0 ? { id: this.id, event: this.event || "message", data: this.data.join("\n") } : null;
    this.id = null;
    this.event = "";
    this.data = [];
    return frame;
  }
}
