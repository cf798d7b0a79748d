// server.mjs ORACLES DIRECTORY KEY SECRET BUCKET: an S3-protocol server that checks signatures, on a free port of this machine, which is the
// first line it prints. Ends when its stdin does.
import { createRequire } from "node:module";
import { join } from "node:path";

const [oracles, directory, key, secret, bucket] = process.argv.slice(2);
const require = createRequire(join(oracles, "package.json"));
const S3rver = require("@20minutes/s3rver");
const { DUMMY_ACCOUNT } = require("@20minutes/s3rver/lib/models/account");

DUMMY_ACCOUNT.createKeyPair(key, secret);
// It hides where a list goes on with DES, which today's OpenSSL does not know any more. Nobody here needs it hidden.
const crypto = require("node:crypto");
crypto.createCipheriv = crypto.createDecipheriv = () => ({ update: (text) => Buffer.from(text), final: () => Buffer.alloc(0) });
const server = new S3rver({ address: "127.0.0.1", port: 0, silent: true, directory, configureBuckets: [{ name: bucket }] });
const { port } = await server.run();
console.log(port);
process.stdin.on("end", () => process.exit(0));
process.stdin.resume();
