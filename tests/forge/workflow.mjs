// workflow.mjs: what GitHub's own libraries make of workflows. One JSON object a line on stdin, one answer a line on stdout:
//   {"parse": TEXT}                                  -> {"errors": [...]}          held against GitHub's schema of workflows
//   {"evaluate": EXPRESSION, "context": {...}, "status": "success"|"failure"} -> {"value": ...}
import { register } from "node:module";
import readline from "node:readline";

// The parser imports its schemas as bundlers have it: without saying that they are JSON.
const reads = `import { readFile } from "node:fs/promises";
export const load = async (url, context, next) =>
  url.endsWith(".json") ? { format: "module", shortCircuit: true, source: "export default " + (await readFile(new URL(url), "utf8")) } : next(url, context);`;
register("data:text/javascript," + encodeURIComponent(reads));
const { Evaluator, Lexer, Parser, data } = await import("@actions/expressions");
const { NoOperationTraceWriter, convertWorkflowTemplate, parseWorkflow } = await import("@actions/workflow-parser");

function toData(value) {
  if (value === null || value === undefined) return new data.Null();
  if (typeof value === "string") return new data.StringData(value);
  if (typeof value === "number") return new data.NumberData(value);
  if (typeof value === "boolean") return new data.BooleanData(value);
  if (Array.isArray(value)) return new data.Array(...value.map(toData));
  return new data.Dictionary(...Object.entries(value).map(([key, member]) => ({ key, value: toData(member) })));
}

// What the jobs and steps before came to; a runner knows these, not the library.
const statusFunctions = (status) =>
  Object.entries({ success: status === "success", failure: status === "failure", always: true, cancelled: false }).map(([name, value]) => ({ name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(value) }));

function evaluate({ evaluate: text, context, status }) {
  const functions = statusFunctions(status);
  const expression = new Parser(new Lexer(text).lex().tokens, Object.keys(context), functions).parse();
  const value = new Evaluator(expression, toData(context), new Map(functions.map((one) => [one.name, one]))).evaluate();
  return { value: value.kind === data.Kind.Boolean ? value.value : value.coerceString() };
}

async function parse({ parse: content }) {
  const read = parseWorkflow({ name: "workflow.yml", content }, new NoOperationTraceWriter());
  if (read.value) await convertWorkflowTemplate(read.context, read.value);
  return { errors: read.context.errors.getErrors().map((error) => error.message) };
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  let answer;
  try {
    answer = "parse" in question ? await parse(question) : evaluate(question);
  } catch (error) {
    answer = { error: String(error.message) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
