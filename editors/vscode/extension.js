// Starts `emend lsp` and lets VS Code's language client do the rest.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function make() {
  const settings = vscode.workspace.getConfiguration("emend");
  const run = { command: settings.get("path", "emend"), args: ["lsp"] };
  return new LanguageClient("emend", "emend", { run, debug: run }, {
    documentSelector: [{ scheme: "file" }],
    initializationOptions: { allowIgnore: settings.get("allowIgnore", true) },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/emend.toml") },
  });
}

async function start() {
  client = make();
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`emend did not start: ${(error && error.message) || error}. Set emend.path, or install emend.`);
  }
}

async function checkMyChange() {
  const editor = vscode.window.activeTextEditor;
  const folder = vscode.workspace.workspaceFolders && vscode.workspace.workspaceFolders[0];
  const uri = editor && editor.document.uri.scheme === "file" ? editor.document.uri : folder && folder.uri;
  if (!client || !uri) return;
  await client.sendRequest("workspace/executeCommand", { command: "emend.check", arguments: [{ uri: uri.toString() }] });
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("emend.checkMyChange", checkMyChange),
    vscode.commands.registerCommand("emend.restart", async () => {
      if (client) await client.stop();
      await start();
    }),
  );
  await start();
};

exports.deactivate = () => (client ? client.stop() : undefined);
