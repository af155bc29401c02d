import type { CallPlace } from './call-place.ts';
import type { Effect } from './effect.ts';

/** Which calls a person is asked about (approvals.md §1), from the loosest to the strictest. */
export const APPROVAL_WORDS = ['never', 'writes', 'always'] as const;
/** How strict it is. */
export type ApprovalWord = (typeof APPROVAL_WORDS)[number];

/** The stricter of two. */
export function stricterApproval(one: ApprovalWord, other: ApprovalWord): ApprovalWord {
  return isLooserApproval(one, other) ? other : one;
}

/** Whether `one` asks about fewer calls than `other`. */
export function isLooserApproval(one: ApprovalWord, other: ApprovalWord): boolean {
  return APPROVAL_WORDS.indexOf(one) < APPROVAL_WORDS.indexOf(other);
}

/** Whether a call with this effect needs a person's yes. What nobody can say of a call counts as a write. */
export function needsApproval(word: ApprovalWord, effect: Effect): boolean {
  return word === 'always' || (word === 'writes' && effect !== 'read');
}

/** The words by which programs and models know a tool that asks a person (approvals.md §1). */
export const ASKS_PERSON = 'asks a person';

/** What a person is shown (approvals.md §3). Texts are as they are: anyone who shows them escapes them. */
export interface ApprovalRequest {
  /** `apr-` and 26 symbols. */
  readonly approvalId: string;
  readonly runRef: string;
  readonly application: string | null;
  readonly tenant: string | null;
  readonly principal: string | null;
  readonly mission: string | null;
  readonly evaluationId: string;
  /** Name of the capability, as programs call it. */
  readonly tool: string;
  /** Alias of its installation, and its name there; null where it has none. */
  readonly installation: string | null;
  readonly upstreamName: string | null;
  readonly effect: Effect;
  /** At most 300 characters, the words of anyone who offers the tool. */
  readonly description: string;
  /** Canonical JSON, without the credentials in use. */
  readonly arguments: string;
  readonly argumentBytes: number;
  /** SHA-256 of the canonical arguments as they are sent, 64 hex digits. */
  readonly argumentsHash: string;
  /** Source of the program that calls; null where it has none. */
  readonly program: string | null;
  /** Whether arguments and program are for the owner of the run alone. */
  readonly isPrivate: boolean;
  /** Where in the program the call is, and the calls that led there; absent where that is not known. */
  readonly place?: CallPlace;
  readonly stack?: readonly CallPlace[];
  /** The parallel branch that calls, from 1 in input order, the outermost of several; null outside of one. */
  readonly branch: { readonly index: number; readonly of: number } | null;
  /** UTC, ISO 8601. */
  readonly askedAt: string;
  readonly expiresAt: string;
  /** Questions of this run before this one. */
  readonly askedBefore: number;
  /** Calls of this run that were answered by an earlier no. */
  readonly rememberedDenials: number;
}

export const APPROVAL_SCOPES = ['once', 'tool', 'run', 'session'] as const;
/**
 * What a yes or a no is for: this call, this tool of this mission in this run, everything asked in this run, this tool
 * in all runs of the session (code mode; elsewhere the same as `tool`).
 */
export type ApprovalScope = (typeof APPROVAL_SCOPES)[number];

/** Who decided. */
export type ApprovalAuthor = 'terminal' | 'cli' | 'viewer' | 'api' | 'elicitation' | 'flag' | 'remembered' | 'expiry';

/** A person's answer (approvals.md §4). */
export interface ApprovalDecision {
  readonly decision: 'allow' | 'deny';
  readonly scope: ApprovalScope;
  readonly by: ApprovalAuthor;
  /** At most 512 characters. */
  readonly reason?: string;
  readonly principal?: string;
  /** False: a no to this call alone, which is asked about again when it is made again (approvals.md §6, `cancel`). */
  readonly isRemembered?: boolean;
}

/** A decision about one call (approvals.md §4). */
export interface ApprovalAnswer {
  readonly decision: 'allow' | 'deny';
  /** This call, this tool of the mission in this run, or everything asked in the run; `once` by default. */
  readonly scope?: ApprovalScope;
  /** For the program and its model; cut at 512 characters. */
  readonly reason?: string;
  /** Who decided, as the caller names people. */
  readonly principal?: string;
}

/**
 * Asks a person about one call, before it leaves. `signal` is aborted when nobody has to decide any more. What it
 * throws, and what is no answer, is `approval_unavailable/store_unavailable` to the program; `later` needs a store.
 */
export type ApprovalCallback = (
  request: ApprovalRequest,
  context: { readonly signal: AbortSignal },
) => Promise<ApprovalAnswer | 'later'>;

/** Why nobody can be asked. */
export type ApprovalUnavailable =
  | 'unattended'
  | 'client_without_elicitation'
  | 'too_many'
  | 'store_unavailable'
  | 'later_unsupported';

export const APPROVAL_REASON_MAX = 512;
export const APPROVAL_DESCRIPTION_MAX = 300;

/** Bounds of the questions of a run (approvals.md §4, §9). */
export interface ApprovalLimits {
  /** Wall clock, milliseconds: after that a question has expired. */
  readonly timeoutMs: number;
  /** Questions a run, and open at once. */
  readonly maxAsks: number;
  readonly maxOpen: number;
  /** Milliseconds of wall clock that a run may take once it has waited. */
  readonly lifetimeMs: number;
  /** Milliseconds that a run keeps its place while it waits and none of it works. */
  readonly holdMs: number;
}

export const APPROVAL_LIMITS: ApprovalLimits = {
  timeoutMs: 600_000,
  maxAsks: 50,
  maxOpen: 64,
  lifetimeMs: 86_400_000,
  holdMs: 30_000,
};
