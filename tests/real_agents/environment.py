"""The environment in which every coding CLI talks to the scripted model, keeps its state in one folder, and reports to nobody."""

import json
import os

GEMINI_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False, "maxAttempts": 2},
}

CODEX_CONFIG = """\
model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1

[analytics]
enabled = false

[features]
plugins = false
apps = false
unbounded_connection_retries = false
"""

QWEN_SETTINGS = {"security": {"auth": {"selectedType": "openai"}}, "privacy": {"usageStatisticsEnabled": False},
                 "telemetry": {"enabled": False}, "general": {"enableAutoUpdate": False}}


def opencode_config(url):
    model = {"name": "Scripted", "tool_call": True, "limit": {"context": 200000, "output": 32000}, "cost": {"input": 1, "output": 2}}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "Scripted", "options": {"baseURL": url + "/v1", "apiKey": "dummy"},
                "models": {"scripted-model": model}}
    return {"autoupdate": False, "share": "disabled", "permission": "allow", "enabled_providers": ["scripted"],
            "model": "scripted/scripted-model", "small_model": "scripted/scripted-model", "provider": {"scripted": provider}}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def prepare(home, url):
    """Writes the configuration files below home and returns the variables."""
    home = os.path.abspath(home)
    # With a base URL and no settings gemini guesses a way of logging in that it then refuses.
    write(os.path.join(home, ".gemini", "settings.json"), json.dumps(GEMINI_SETTINGS))
    write(os.path.join(home, ".codex", "config.toml"), CODEX_CONFIG.format(url=url))
    write(os.path.join(home, ".qwen", "settings.json"), json.dumps(QWEN_SETTINGS))
    return {
        "SCRIPTED_MODEL_HOME": home,  # tells the processes of one test from all others
        "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "dummy", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1", "CLAUDE_CODE_MAX_RETRIES": "1", "IS_SANDBOX": "1",
        "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "dummy", "GEMINI_CLI_HOME": home, "GEMINI_CLI_NO_RELAUNCH": "true",
        "CODEX_HOME": os.path.join(home, ".codex"), "SCRIPTED_KEY": "dummy",
        "OPENAI_BASE_URL": url + "/v1", "OPENAI_API_KEY": "dummy", "OPENAI_MODEL": "scripted-model",
        "OPENCODE_CONFIG_CONTENT": json.dumps(opencode_config(url)), "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    }
