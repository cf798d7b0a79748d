"""The wire formats of the model APIs: a request becomes a script.View, an answer becomes the events of a stream or one JSON body."""

import hashlib
import json
import re

from script import View


class Answer:
    """What a rule says, in the shape the wires need. Ids depend on the conversation alone, so that a resumed one never sees one twice."""

    def __init__(self, action, body):
        self.seed = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:12]
        self.made = 0
        self.text = action.get("text")
        if "json" in action:
            self.text = json.dumps(action["json"], ensure_ascii=False)
        self.thinking = action.get("thinking")
        self.calls = action.get("calls", [])
        self.stop = action.get("stop")
        self.stream_error = action.get("stream_error")
        self.usage = {"input": 100, "output": 20, "cached": 0, "reasoning": 0, **action.get("usage", {})}
        self.chunk = action.get("chunk", 40)

    def new_id(self, prefix):
        self.made += 1
        return f"{prefix}_{self.seed}{self.made:02d}"

    def pieces(self, text):
        return [text[i:i + self.chunk] for i in range(0, len(text), self.chunk)] or [""]


def sse(event, name=None):
    head = f"event: {name}\n" if name else ""
    return (head + "data: " + (event if isinstance(event, str) else json.dumps(event)) + "\n\n").encode()


class Anthropic:
    name = "anthropic"
    path = re.compile(r"/v1/messages(/count_tokens)?$")
    error_types = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
                   413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error"}

    def side_answer(self, path, body):
        return {"input_tokens": len(json.dumps(body)) // 4} if path.endswith("count_tokens") else None

    def text_of(self, content):
        if isinstance(content, str):
            return content
        parts = []
        for block in content or []:
            if block.get("type") == "text":
                parts.append(block["text"])
            elif block.get("type") == "tool_result":
                parts.append(self.text_of(block.get("content")))
        return "\n".join(parts)

    def view(self, _path, body):
        # Newer clients also put system text between the messages.
        spoken = [m for m in body.get("messages", []) if m["role"] != "system"]
        system = [self.text_of(body.get("system"))] + [self.text_of(m["content"]) for m in body.get("messages", []) if m["role"] == "system"]
        blocks = [b for m in spoken if isinstance(m["content"], list) for b in m["content"]]
        return View(self.name, body.get("model"), "\n".join(system), [(m["role"], self.text_of(m["content"])) for m in spoken],
                    [t.get("name") for t in body.get("tools", [])], sum(m["role"] == "assistant" for m in spoken),
                    sum(b.get("type") == "tool_result" for b in blocks), bool(body.get("stream")))

    def error(self, status, action):
        kind = action.get("type") or self.error_types.get(status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": action.get("message", f"scripted {status}")}}

    def content(self, answer):
        blocks = []
        if answer.thinking:
            blocks.append({"type": "thinking", "thinking": answer.thinking, "signature": "c2lnbmVk"})
        if answer.text is not None:
            blocks.append({"type": "text", "text": answer.text})
        for call in answer.calls:
            blocks.append({"type": "tool_use", "id": answer.new_id("toolu"), "name": call["tool"], "input": call.get("arguments", {})})
        return blocks

    def whole(self, view, answer):
        usage = {"input_tokens": answer.usage["input"], "cache_creation_input_tokens": 0,
                 "cache_read_input_tokens": answer.usage["cached"], "output_tokens": answer.usage["output"]}
        return {"id": answer.new_id("msg"), "type": "message", "role": "assistant", "model": view.model, "content": self.content(answer),
                "stop_reason": answer.stop or ("tool_use" if answer.calls else "end_turn"), "stop_sequence": None, "usage": usage}

    def deltas(self, block, answer):
        if block["type"] == "text":
            yield {**block, "text": ""}, [{"type": "text_delta", "text": p} for p in answer.pieces(block["text"])]
        elif block["type"] == "thinking":
            thoughts = [{"type": "thinking_delta", "thinking": p} for p in answer.pieces(block["thinking"])]
            yield ({**block, "thinking": "", "signature": ""}, thoughts + [{"type": "signature_delta", "signature": block["signature"]}])
        else:
            yield {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": p} for p in answer.pieces(json.dumps(block["input"]))]

    def events(self, view, answer):
        message = self.whole(view, answer)
        blocks, usage, stop = message["content"], message["usage"], message["stop_reason"]
        yield {"type": "message_start",
               "message": {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}}
        for index, block in enumerate(blocks):
            for opening, deltas in self.deltas(block, answer):
                yield {"type": "content_block_start", "index": index, "content_block": opening}
                for delta in deltas:
                    yield {"type": "content_block_delta", "index": index, "delta": delta}
            yield {"type": "content_block_stop", "index": index}
        if answer.stream_error:
            yield {"type": "error", "error": {"type": answer.stream_error, "message": answer.stream_error}}
            return
        yield {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": usage["output_tokens"]}}
        yield {"type": "message_stop"}

    def encode(self, event):
        return sse(event, event["type"])


class Gemini:
    name = "gemini"
    path = re.compile(r"/models/[^/]+:(generateContent|streamGenerateContent|countTokens|embedContent)$")
    error_types = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED",
                   500: "INTERNAL", 503: "UNAVAILABLE"}

    def side_answer(self, path, body):
        if path.endswith(":countTokens"):
            return {"totalTokens": len(json.dumps(body)) // 4}
        return {"embedding": {"values": [0.0]}} if path.endswith(":embedContent") else None

    def text_of(self, content):
        parts = []
        for part in (content or {}).get("parts", []):
            if "functionResponse" in part:
                parts.append(json.dumps(part["functionResponse"].get("response")))
            elif not part.get("thought"):
                parts.append(part.get("text", ""))
        return "\n".join(parts)

    def view(self, path, body):
        contents = body.get("contents", [])
        parts = [p for c in contents for p in c.get("parts", [])]
        declared = [d["name"] for t in body.get("tools", []) for d in t.get("functionDeclarations", [])]
        messages = [("assistant" if c.get("role") == "model" else "user", self.text_of(c)) for c in contents]
        return View(self.name, re.search(r"/models/([^/:]+):", path).group(1), self.text_of(body.get("systemInstruction")), messages, declared,
                    sum(c.get("role") == "model" for c in contents), sum("functionResponse" in p for p in parts), ":stream" in path)

    def error(self, status, action):
        error = {"code": status, "message": action.get("message", f"scripted {status}"),
                 "status": action.get("type") or self.error_types.get(status, "UNKNOWN")}
        return {"error": {**error, **({"details": action["details"]} if "details" in action else {})}}

    def candidate(self, view, answer, parts, last):
        found = {"content": {"role": "model", "parts": parts}, "index": 0}
        result = {"candidates": [found], "modelVersion": view.model, "responseId": "response_" + answer.seed}
        if last:
            used = answer.usage
            found["finishReason"] = answer.stop or "STOP"
            result["usageMetadata"] = {"promptTokenCount": used["input"], "candidatesTokenCount": used["output"],
                                       "totalTokenCount": used["input"] + used["output"], "cachedContentTokenCount": used["cached"]}
        return result

    def parts(self, answer):
        parts = [{"text": answer.thinking, "thought": True}] if answer.thinking else []
        if answer.text is not None:
            parts += [{"text": piece} for piece in answer.pieces(answer.text)]
        return parts + [{"functionCall": {"name": c["tool"], "args": c.get("arguments", {})}} for c in answer.calls]

    def whole(self, view, answer):
        return self.candidate(view, answer, self.parts(answer), True)

    def events(self, view, answer):
        parts = self.parts(answer)
        spoken = [p for p in parts if "functionCall" not in p]
        calls = [p for p in parts if "functionCall" in p]
        groups = [[p] for p in spoken] + ([calls] if calls else [])  # parallel calls arrive in one event
        for number, group in enumerate(groups or [[{"text": ""}]], 1):
            yield self.candidate(view, answer, group, number >= len(groups) and not answer.stream_error)
        if answer.stream_error:
            yield {"error": {"code": 500, "message": answer.stream_error, "status": "INTERNAL"}}

    def encode(self, event):
        return sse(event)


def flat(content):
    """The text of a message or a tool's output in the shapes OpenAI's APIs have for it."""
    if isinstance(content, list):
        return "\n".join(part.get("text") or part.get("output") or "" for part in content)
    return content if isinstance(content, str) else "" if content is None else json.dumps(content)


class OpenAiError:
    error_codes = {401: ("invalid_request_error", "invalid_api_key"), 429: ("rate_limit_exceeded", "rate_limit_exceeded"),
                   500: ("server_error", None)}

    def side_answer(self, _path, _body):
        return None

    def error(self, status, action):
        kind, code = self.error_codes.get(status, ("invalid_request_error", None))
        return {"error": {"message": action.get("message", f"scripted {status}"), "type": action.get("type", kind),
                          "code": action.get("type", code), "param": None}}


class Responses(OpenAiError):
    name = "responses"
    path = re.compile(r"/responses$")

    def tool_names(self, tool):
        if tool.get("type") == "namespace":
            return [f"{tool['name']}.{inner['name']}" for inner in tool.get("tools", [])]
        return [tool.get("name") or tool.get("type")]

    def view(self, _path, body):
        given = body.get("input", [])
        items = [{"type": "message", "role": "user", "content": given}] if isinstance(given, str) else given
        turns, ours, messages, results, system = 0, False, [], 0, [body.get("instructions") or ""]
        for item in items:
            kind, role = item.get("type", "message"), item.get("role")
            text = flat(item.get("content", item.get("output", item.get("arguments", item.get("input")))))
            before, ours = ours, role == "assistant" or kind == "reasoning" or kind.endswith("_call")
            turns += ours and not before  # a run of the model's items is one turn
            results += kind.endswith("_output")
            if role in ("developer", "system"):
                system.append(text)
            else:
                messages.append(("assistant" if ours else role or "tool", text))
        tools = [name for tool in body.get("tools", []) for name in self.tool_names(tool)]
        return View(self.name, body.get("model"), "\n".join(system), messages, tools, turns, results, bool(body.get("stream")))

    def items(self, answer):
        items = []
        if answer.thinking:
            items.append({"type": "reasoning", "id": answer.new_id("rs"), "summary": [{"type": "summary_text", "text": answer.thinking}],
                          "encrypted_content": "c2VjcmV0"})
        if answer.text is not None:
            items.append({"type": "message", "id": answer.new_id("msg"), "role": "assistant", "status": "completed",
                          "content": [{"type": "output_text", "text": answer.text, "annotations": []}]})
        for call in answer.calls:
            head = {"call_id": answer.new_id("call"), "name": call["tool"], "status": "completed"}
            if "input" in call:
                items.append({"type": "custom_tool_call", "id": answer.new_id("ctc"), **head, "input": call["input"]})
                continue
            space = {"namespace": call["namespace"]} if "namespace" in call else {}
            items.append({"type": "function_call", "id": answer.new_id("fc"), **head, **space, "arguments": json.dumps(call.get("arguments", {}))})
        return items

    def whole(self, view, answer):
        used = answer.usage
        usage = {"input_tokens": used["input"], "input_tokens_details": {"cached_tokens": used["cached"]}, "output_tokens": used["output"],
                 "output_tokens_details": {"reasoning_tokens": used["reasoning"]}, "total_tokens": used["input"] + used["output"]}
        return {"id": answer.new_id("resp"), "object": "response", "created_at": 0, "status": "completed", "model": view.model,
                "output": self.items(answer), "usage": usage, "error": None}

    def item_events(self, index, item, answer):
        where = {"item_id": item["id"], "output_index": index}
        if item["type"] == "message":
            text = item["content"][0]["text"]
            yield {"type": "response.output_item.added", "output_index": index, "item": {**item, "status": "in_progress", "content": []}}
            yield {"type": "response.content_part.added", **where, "content_index": 0, "part": {"type": "output_text", "text": "", "annotations": []}}
            for piece in answer.pieces(text):
                yield {"type": "response.output_text.delta", **where, "content_index": 0, "delta": piece}
            yield {"type": "response.output_text.done", **where, "content_index": 0, "text": text}
        elif item["type"] == "function_call":
            yield {"type": "response.output_item.added", "output_index": index, "item": {**item, "status": "in_progress", "arguments": ""}}
            yield {"type": "response.function_call_arguments.delta", **where, "delta": item["arguments"]}
            yield {"type": "response.function_call_arguments.done", **where, "arguments": item["arguments"]}
        else:
            yield {"type": "response.output_item.added", "output_index": index, "item": item}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}

    def numbered(self, view, answer):
        response = self.whole(view, answer)
        yield {"type": "response.created", "response": {**response, "status": "in_progress", "output": [], "usage": None}}
        for index, item in enumerate(response["output"]):
            yield from self.item_events(index, item, answer)
        if answer.stream_error:
            yield {"type": "response.failed", "response": {**response, "status": "failed",
                                                            "error": {"code": answer.stream_error, "message": answer.stream_error}}}
        else:
            yield {"type": "response.completed", "response": response}

    def events(self, view, answer):
        for number, event in enumerate(self.numbered(view, answer)):
            yield {**event, "sequence_number": number}

    def encode(self, event):
        return sse(event, event["type"])


class Chat(OpenAiError):
    name = "chat"
    path = re.compile(r"/chat/completions$")

    def view(self, _path, body):
        messages = body.get("messages", [])
        system = [flat(m.get("content")) for m in messages if m["role"] in ("system", "developer")]
        spoken = [(m["role"], flat(m.get("content"))) for m in messages if m["role"] not in ("system", "developer")]
        return View(self.name, body.get("model"), "\n".join(system), spoken, [t.get("function", {}).get("name") for t in body.get("tools", [])],
                    sum(m["role"] == "assistant" for m in messages), sum(m["role"] == "tool" for m in messages), bool(body.get("stream")))

    def calls(self, answer):
        return [{"index": index, "id": answer.new_id("call"), "type": "function",
                 "function": {"name": c["tool"], "arguments": json.dumps(c.get("arguments", {}))}} for index, c in enumerate(answer.calls)]

    def usage(self, answer):
        used = answer.usage
        return {"prompt_tokens": used["input"], "completion_tokens": used["output"], "total_tokens": used["input"] + used["output"],
                "prompt_tokens_details": {"cached_tokens": used["cached"]}}

    def finish(self, answer):
        return answer.stop or ("tool_calls" if answer.calls else "stop")

    def whole(self, view, answer):
        message = {"role": "assistant", "content": answer.text, **({"tool_calls": self.calls(answer)} if answer.calls else {})}
        return {"id": answer.new_id("chatcmpl"), "object": "chat.completion", "created": 0, "model": view.model,
                "choices": [{"index": 0, "finish_reason": self.finish(answer), "message": message}], "usage": self.usage(answer)}

    def events(self, view, answer):
        head = {"id": answer.new_id("chatcmpl"), "object": "chat.completion.chunk", "created": 0, "model": view.model}
        deltas = [{"role": "assistant", "content": ""}]
        deltas += [{"reasoning_content": answer.thinking}] if answer.thinking else []
        deltas += [{"content": piece} for piece in answer.pieces(answer.text)] if answer.text is not None else []
        deltas += [{"tool_calls": self.calls(answer)}] if answer.calls else []
        for delta in deltas:
            yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        if answer.stream_error:
            yield {"error": {"message": answer.stream_error, "type": answer.stream_error}}
            return
        yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": self.finish(answer)}]}
        yield {**head, "choices": [], "usage": self.usage(answer)}
        yield "[DONE]"

    def encode(self, event):
        return sse(event)


WIRES = (Anthropic(), Gemini(), Responses(), Chat())
