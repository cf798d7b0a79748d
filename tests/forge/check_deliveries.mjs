// check_deliveries.mjs < [{name, body}]: holds what webhooks are said to send against GitHub's own schemas.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const need = createRequire(path.join(path.dirname(fileURLToPath(import.meta.url)), "package.json"));
const Ajv = need("ajv").default;
const schema = JSON.parse(readFileSync(path.join(path.dirname(need.resolve("@octokit/webhooks-schemas/package.json")), "schema.json"), "utf8"));
const ajv = new Ajv({ strict: false, allErrors: true });
need("ajv-formats").default(ajv);
ajv.addSchema(schema, "webhooks");
let problems = 0;
for (const { name, body } of JSON.parse(readFileSync(0, "utf8"))) {
  const definition = name === "push" ? "push$event" : `${name}$${body.action}`;
  const validate = ajv.compile({ $ref: `webhooks#/definitions/${encodeURIComponent(definition)}` });
  if (validate(body)) continue;
  ++problems;
  console.log(`${definition}: ${ajv.errorsText(validate.errors.slice(0, 5))}`);
}
process.exit(problems ? 1 : 0);
