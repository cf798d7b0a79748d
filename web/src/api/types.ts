// The API's words. All of them come from api/openapi.yaml (generated/api.d.ts), so that a change of the contract shows here first.
import type { components, paths } from "../../generated/api";

export type Schemas = components["schemas"];
export type Issue = Schemas["Issue"];
export type IssueStatus = Schemas["IssueStatus"];
export type Severity = Schemas["Severity"];
export type Facets = Schemas["Facets"];
export type Decision = Schemas["Decision"];
export type BulkDecision = Schemas["BulkDecision"];
export type BulkResult = Schemas["BulkResult"];
export type LoggedEvent = Schemas["LoggedEvent"];
export type Session = Schemas["Session"];
export type SessionSnapshot = Schemas["SessionSnapshot"];
export type SessionStatus = Session["status"];
export type Question = Schemas["Question"];
export type Repository = Schemas["Repository"];
export type Setup = Schemas["Setup"];
export type RepositoryDetail = Schemas["RepositoryDetail"];
export type Status = Schemas["Status"];
export type CheckJob = Schemas["CheckJob"];
export type Blob = Schemas["Blob"];
export type Plan = Schemas["Plan"];
export type MasterTodo = Schemas["MasterTodo"];
export type Clarity = Schemas["Clarity"];
export type Started = Schemas["Started"];
export type StartRequest = Schemas["StartRequest"];
export type Diff = Schemas["Diff"];
export type Config = Schemas["Config"];
export type Agent = Schemas["Agent"];
export type Run = Schemas["Run"];
export type UsageSum = Schemas["UsageSum"];
export type GateDecision = Schemas["GateDecision"];
export type StoryLine = Schemas["StoryLine"];
export type Experiment = Schemas["Experiment"];
export type Problem = Schemas["Problem"];
export type Review = Schemas["Review"];
export type Imported = Schemas["Imported"];
export type Job = Schemas["Job"];
export type PrReview = Schemas["PrReviewJob"];
export type Comment = Schemas["Comment"];
export type OpenedTest = Schemas["OpenedTest"];
export type IssueTests = Schemas["IssueTests"];
export type Acceptance = Schemas["Acceptance"];
export type Withdrawn = Schemas["Withdrawn"];
export type PlanChange = Schemas["PlanChangeRequest"];
export type Needs = Schemas["Needs"];
export type Trends = Schemas["Trends"];
export type OutcomeCounts = Schemas["OutcomeCounts"];
export type EarnedTrust = Schemas["EarnedTrust"];
export type Outcomes = Page<OutcomeCounts> & { by: string; total: OutcomeCounts; autonomy: EarnedTrust[] };
export type TrendWeek = Trends["weeks"][number];
export type ConfigCheck = Schemas["ConfigCheck"];
export type ConfigChange = Schemas["ConfigChange"];
export type WrittenSetting = Schemas["WrittenSetting"];
export type ProposedSession = Schemas["ProposedSession"];
export type Person = Schemas["Person"];
export type AccessToken = Schemas["AccessToken"];
export type AuditEntry = Schemas["AuditEntry"];
export type Me = Schemas["Me"];
export type Path = keyof paths;

export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

// The events by their types; the contract is held against the engine's own list of them by a test.
type Events = Required<Schemas["Events"]>;
export type EventType = keyof Events;
export type EventOf<T extends EventType> = Events[T] & { type: T };
// What a stream says of itself.
type StreamNews = "stream_start" | "stream_gap" | "stream_resumed" | "stream_end" | "session_snapshot";

// Any event of a live stream: what all have, and members of its type, which may have been stored by an older version.
export interface LiveEvent {
  type: EventType | StreamNews;
  seq: number;
  ts: string;
  session_id: string;
  issue_code?: string;
  [member: string]: unknown;
}
