#include <tuple>

#include "base/strings.hpp"
#include "tests/contract/store/records.hpp"

namespace emend::testing_support {

namespace {

template <typename Record>
Json everything_of_each(const std::vector<Record>& records) {
  Json list = Json::array();
  for (const Record& record : records) list.push_back(everything(record));
  return list;
}

template <typename Enum>
int number(Enum value) {
  return static_cast<int>(value);
}

} // namespace

Json everything(const Finding& value) {
  const auto& [id, file, line, line_end, column, column_end, severity, category, rule, title, description,
               suggestion, agent, group, related_files, effort, files_count, fixit, found_by, annotations] =
      value;
  return Json::array({id,
                      file,
                      line,
                      line_end,
                      column,
                      column_end,
                      fixit ? to_json(*fixit) : Json(),
                      Json(found_by),
                      number(severity),
                      category,
                      rule,
                      title,
                      description,
                      suggestion,
                      agent,
                      group,
                      Json(related_files),
                      effort,
                      files_count,
                      Json(annotations)});
}

Json everything(const Clarification& value) {
  const auto& [issue_id, question_id, round, question, context, suggestions, state, answer, asked_ms,
               answered_ms, answered_by] = value;
  return Json::array({issue_id, question_id, round, question, context, Json(suggestions), number(state),
                      answer, asked_ms, answered_ms, answered_by});
}

Json everything(const Issue& value) {
  const auto& [id, repository_id, code, fingerprint, content_fingerprint, line_key, finding, status, reason,
               detail, evidence, marks, duplicate_of, session_id, commit, last_score, attempts, trend,
               seen_commit, absent_commit, created_ms, updated_ms, clarifications] = value;
  return Json::array({id,
                      repository_id,
                      code,
                      fingerprint,
                      content_fingerprint,
                      line_key,
                      everything(finding),
                      number(status),
                      reason,
                      detail,
                      evidence,
                      to_string(marks),
                      duplicate_of,
                      session_id,
                      commit,
                      last_score,
                      attempts,
                      number(trend),
                      seen_commit,
                      absent_commit,
                      created_ms,
                      updated_ms}); // clarifications are rows of their own: see clarifications_test
}

Json everything(const ResourceLimits& value) {
  const auto& [memory_bytes, processes, file_bytes, cpu_seconds, free_disk_bytes] = value;
  return Json::array({memory_bytes, processes, file_bytes, cpu_seconds, free_disk_bytes});
}

Json everything(const SandboxPolicy& value) {
  const auto& [mode, kind, command_network, command_limits] = value;
  return Json::array({number(mode), number(kind), number(command_network), everything(command_limits)});
}

Json everything(const AgentBinding& value) {
  const auto& [name, engine, command, script, model, family, timeout_ms, idle_timeout_ms, pass_env, env,
               thinking_budget, max_turns, permissions, allowed_tools, network, limits] = value;
  return Json::array({name, engine, Json(command), script, model, family, timeout_ms, idle_timeout_ms,
                      Json(pass_env), Json(env), thinking_budget, max_turns, permissions, Json(allowed_tools),
                      number(network), everything(limits)});
}

Json everything(const VerifyCommand& value) {
  const auto& [name, run, paths, timeout_ms, speaks] = value;
  (void)speaks; // of a reproducer's run only: no policy has it
  return Json::array({name, run, Json(paths), timeout_ms});
}

Json everything(const Budget& value) {
  const auto& [cost_usd, tokens, time_ms] = value;
  return Json::array({cost_usd, tokens, time_ms});
}

Json everything(const AgentRunRecord& value) {
  const auto& [id, repository_id, session_id, role, agent, model, family, issue_ids, state, usage,
               conversation_usage, conversation_id, conversation_dir, started_ms, duration_ms] = value;
  return Json::array({id, repository_id, session_id, role, agent, model, family, Json(issue_ids),
                      to_json(state), to_json(usage), to_json(conversation_usage), conversation_id,
                      conversation_dir, started_ms, duration_ms});
}

Json everything(const Policy& value) {
  const auto& [fixer, fixer_fallbacks, strategy, batch, git_agents, keep_conversation, max_wait_ms,
               retry_wait_ms, deferred_retries, candidates, autonomy, parallel, fix_timeout_ms, branch,
               grouping, scope, changed_tests, protected_paths, new_files, prompt_max_bytes, context_lines,
               max_changed_lines, unsafe_fixes, conventions, instructions, challenger_enabled,
               allow_self_judging, challenger, challenger_fallbacks, panel, second_judge, canaries,
               max_iterations, satisfaction_threshold, challenge_timeout_ms, challenge_retries, reproduce,
               reproducer, reproduce_timeout_ms, commands, max_fix_cycles, verify_mode, repeat,
               verify_timeout_ms, pass_env, verify_env, max_output_bytes, coverage, sandbox, minimum_evidence,
               minimum_by_severity, minimum_by_path, session_budget, issue_budget, approve_threshold,
               vote_timeout_ms, worker_label, work_here, redact_patterns, agent_files, asks, reproducer_runs,
               spare_starts, wait_tries, short_wait_ms, each_limit_ms] = value;
  // Constants of the program, which no session stores.
  (void)std::tie(asks, reproducer_runs, spare_starts, wait_tries, short_wait_ms, each_limit_ms);
  return Json::array({everything(sandbox),
                      number(reproduce),
                      everything(reproducer),
                      reproduce_timeout_ms,
                      everything_of_each(fixer_fallbacks),
                      number(strategy),
                      batch.max_points,
                      batch.max_issues,
                      git_agents,
                      keep_conversation,
                      max_wait_ms,
                      retry_wait_ms,
                      everything_of_each(challenger_fallbacks),
                      canaries,
                      number(grouping),
                      panel,
                      everything(second_judge),
                      candidates,
                      number(autonomy),
                      number(changed_tests),
                      everything(session_budget),
                      everything(issue_budget),
                      approve_threshold,
                      vote_timeout_ms,
                      worker_label,
                      work_here,
                      Json(agent_files),
                      everything(fixer),
                      deferred_retries,
                      parallel,
                      fix_timeout_ms,
                      branch,
                      number(scope),
                      Json(protected_paths),
                      Json(new_files),
                      prompt_max_bytes,
                      context_lines,
                      max_changed_lines,
                      unsafe_fixes,
                      Json(conventions),
                      Json(instructions),
                      challenger_enabled,
                      allow_self_judging,
                      everything(challenger),
                      max_iterations,
                      satisfaction_threshold,
                      challenge_timeout_ms,
                      challenge_retries,
                      everything_of_each(commands),
                      max_fix_cycles,
                      number(verify_mode),
                      number(coverage),
                      repeat,
                      verify_timeout_ms,
                      Json(pass_env),
                      Json(verify_env),
                      max_output_bytes,
                      minimum_evidence,
                      Json(minimum_by_severity),
                      Json(minimum_by_path),
                      Json(redact_patterns)});
}

Json everything(const ProcessIdentity& value) {
  const auto& [pid, start_ticks, boot_id] = value;
  return Json::array({pid, start_ticks, boot_id});
}

Json everything(const Session& value) {
  const auto& [id, repository_id, status, detail, base, base_ref, branch, tip, issue_ids, review_report,
               policy, owner, cancel_requested, started_by, started_ms, updated_ms, duration_ms] = value;
  return Json::array({id, repository_id, number(status), detail, base, base_ref, branch, tip, Json(issue_ids),
                      review_report, everything(policy), everything(owner), cancel_requested, started_ms,
                      updated_ms, duration_ms, started_by});
}

Json everything(const Unit& value) {
  const auto& [id, session_id, position, issue_ids, status, base, stacked, cycles, verify_failures,
               challenges, deferrals, starts, accepted_attempt, feedback] = value;
  return Json::array({id, session_id, position, Json(issue_ids), number(status), base, stacked, cycles,
                      verify_failures, challenges, deferrals, starts, accepted_attempt, feedback});
}

// Contents in hex: they are bytes, and a failing comparison prints them.
Json everything(const FileChange& value) {
  const auto& [path, old_mode, new_mode, old_id, new_id, old_content, new_content] = value;
  return Json::array({path, old_mode, new_mode, old_id, new_id, to_hex(old_content), to_hex(new_content)});
}

Json everything(const Attempt& value) {
  const auto& [id, session_id, unit_id, issue_id, cycle, agent, model, family, ending, exit_code, claim,
               explanation, result, detail, base, patch, notes, started_ms, duration_ms] = value;
  return Json::array({id, session_id, unit_id, issue_id, cycle, agent, model, family, ending, exit_code,
                      number(claim), explanation, number(result), detail, base,
                      everything_of_each(patch.changes), Json(notes), started_ms, duration_ms});
}

Json everything(const TestReport& value) {
  const auto& [recognised, runner, passed, failed, skipped, own_failures, by_id, passes_unnamed] = value;
  return Json::array(
      {recognised, runner, passed, failed, skipped, own_failures, Json(by_id), passes_unnamed});
}

Json everything(const CommandRun& value) {
  const auto& [name, run, scoped, result, exit_code, runs, passes, spent, output, tests, duration_ms, wavers,
               values] = value;
  return Json::array({name, run, scoped, number(result), exit_code, runs, passes, spent, output,
                      everything(tests), duration_ms, wavers, to_json(values)});
}

Json everything(const Rescan::Tool& value) {
  const auto& [name, version, state, detail, before, files] = value;
  return Json::array({name, version, state, detail, before, Json(files)});
}

Json everything(const SeenFinding& value) {
  const auto& [analyzer, rule, file, line, severity, title] = value;
  return Json::array({analyzer, rule, file, line, number(severity), title});
}

Json everything(const Rescan& value) {
  const auto& [tools, gone, remaining, fresh] = value;
  return Json::array({everything_of_each(tools), Json(gone), Json(remaining), everything_of_each(fresh)});
}

Json everything(const Probe& value) {
  const auto& [issue_id, command, kind, file, line, before, after, name, tests] = value;
  return Json::array({issue_id, command, kind, file, line, before, after, name, Json(tests)});
}

Json everything(const ExecutedLines& value) {
  const auto& [executed, missed, not_measured] = value;
  const auto places = [](const std::vector<ExecutedLines::Line>& lines) {
    Json list = Json::array();
    for (const auto& [file, number] : lines) list.push_back(Json::array({file, number}));
    return list;
  };
  return Json::array({places(executed), places(missed), Json(not_measured)});
}

Json everything(const Verification& value) {
  const auto& [id, session_id, issue_id, kind, base, patch_sha256, commands, rescan, reproducer_sha256,
               started_ms, duration_ms, probes, executed] = value;
  return Json::array({reproducer_sha256, id, session_id, issue_id, number(kind), base, patch_sha256,
                      everything_of_each(commands), rescan ? everything(*rescan) : Json(), started_ms,
                      duration_ms, everything_of_each(probes), executed ? everything(*executed) : Json()});
}

Json everything(const Verdict& value) {
  const auto& [id, session_id, issue_id, attempt_id, patch_sha256, agent, model, family, canary, independent,
               valid, problem, score, status_word, feedback, quality_scores, improvements_needed, account,
               answer, started_ms, duration_ms] = value;
  return Json::array({account,
                      answer,
                      id,
                      session_id,
                      issue_id,
                      attempt_id,
                      patch_sha256,
                      agent,
                      model,
                      family,
                      canary,
                      independent,
                      valid,
                      problem,
                      score ? Json(*score) : Json(),
                      status_word,
                      feedback,
                      Json(quality_scores),
                      Json(improvements_needed),
                      started_ms,
                      duration_ms});
}

Json everything(const Proof& value) {
  const auto& [issue_id, session_id, attempt_id, verdict_id, base, commit, branch, patch_sha256, evidence,
               score, detail, created_ms] = value;
  return Json::array({issue_id, session_id, attempt_id, verdict_id, base, commit, branch, patch_sha256,
                      evidence, score, detail, created_ms});
}

Json everything(const CommitRecord& value) {
  const auto& [sha, parent, session_id, issue_ids, patch_sha256, subject] = value;
  return Json::array({sha, parent, session_id, Json(issue_ids), patch_sha256, subject});
}

Json everything(const Event& value) {
  [[maybe_unused]] const auto& [seq, time_ms, session_id, type, issue_code, data, digest] =
      value; // the digest is the store's own
  return Json::array({seq, time_ms, session_id, type, issue_code, data});
}

Json everything(const Intent& value) {
  const auto& [id, session_id, kind, data, done] = value;
  return Json::array({id, session_id, kind, data, done});
}

Json everything(const ChildRecord& value) {
  const auto& [session_id, pid, start_ticks, boot_id] = value;
  return Json::array({session_id, pid, start_ticks, boot_id});
}

Json everything(const TrustRecord& value) {
  const auto& [path, sha256, time_ms] = value;
  return Json::array({path, sha256, time_ms});
}

} // namespace emend::testing_support
