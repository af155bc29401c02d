import type { ApprovalDecision, ApprovalUnavailable } from '../../../contract/approval.ts';

/**
 * The questions of one run as a pure state machine (approvals.md §4): which calls are asked about, what an earlier
 * decision answers, and that each question has exactly one end.
 */

/** A call about which a person would be asked. */
export interface ApprovableCall {
  readonly mission: string | null;
  readonly tool: string;
  readonly argumentsHash: string;
}

interface OpenQuestion extends ApprovableCall {
  readonly id: string;
  readonly askedAt: number;
}

export interface ApprovalBook {
  readonly maxAsks: number;
  readonly maxOpen: number;
  readonly asked: number;
  readonly open: ReadonlyMap<string, OpenQuestion>;
  /** Keys of calls, of tools, that are answered by an earlier decision. */
  readonly denied: ReadonlyMap<string, string | undefined>;
  readonly allowedTools: ReadonlySet<string>;
  readonly deniedTools: ReadonlyMap<string, string | undefined>;
  /** Of everything asked in the run; null: no decision was for all. */
  readonly all: 'allow' | { readonly reason: string | undefined } | null;
  readonly rememberedDenials: number;
}

export type BookEvent =
  | { readonly event: 'call'; readonly id: string; readonly call: ApprovableCall; readonly now: number }
  | { readonly event: 'decision'; readonly id: string; readonly decision: ApprovalDecision }
  /** Nobody decided in time, nobody can be asked, or who asks is gone. */
  | { readonly event: 'expired' | 'gone'; readonly id: string }
  | { readonly event: 'unavailable'; readonly id: string; readonly how: ApprovalUnavailable };

/** What becomes of a question. */
export type BookEnd =
  | { readonly kind: 'decided'; readonly decision: ApprovalDecision }
  | { readonly kind: 'expired' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unavailable'; readonly how: ApprovalUnavailable };

type Decided = Extract<BookEnd, { readonly kind: 'decided' }>;

export interface BookStep {
  readonly book: ApprovalBook;
  /** Ends of questions, each once; a question that is asked has none yet. */
  readonly ended: readonly { readonly id: string; readonly end: BookEnd }[];
  /** Whether a person is to be asked. */
  readonly asks: boolean;
}

/** What was decided for all runs of a session, by the keys of tools (approvals.md §4). */
export interface SessionDecisions {
  readonly allowedTools: Set<string>;
  readonly deniedTools: Map<string, string | undefined>;
}

export function noSessionDecisions(): SessionDecisions {
  return { allowedTools: new Set(), deniedTools: new Map() };
}

/** Keeps a decision that is for all runs of a session. */
export function rememberForSession(
  { allowedTools, deniedTools }: SessionDecisions,
  call: Pick<ApprovableCall, 'mission' | 'tool'>,
  { decision, scope, reason }: ApprovalDecision,
): void {
  if (scope !== 'session') return;
  if (decision === 'allow') allowedTools.add(toolKey(call));
  else deniedTools.set(toolKey(call), reason);
}

export function openBook(
  { maxAsks, maxOpen }: Pick<ApprovalBook, 'maxAsks' | 'maxOpen'>,
  { allowedTools, deniedTools }: SessionDecisions = noSessionDecisions(),
): ApprovalBook {
  return {
    maxAsks,
    maxOpen,
    asked: 0,
    open: new Map(),
    denied: new Map(),
    allowedTools: new Set(allowedTools),
    deniedTools: new Map(deniedTools),
    all: null,
    rememberedDenials: 0,
  };
}

export function stepBook(book: ApprovalBook, event: BookEvent): BookStep {
  if (event.event === 'call') return askAbout(book, event);
  const question = book.open.get(event.id);
  // It has its end already: the first one counts.
  if (question === undefined) return { book, ended: [], asks: false };
  switch (event.event) {
    case 'decision':
      return decide(book, question, event.decision);
    case 'expired':
    case 'gone':
      return { book: without(book, event.id), ended: [{ id: event.id, end: { kind: event.event } }], asks: false };
    case 'unavailable': {
      const end = { kind: 'unavailable', how: event.how } as const;
      return { book: without(book, event.id), ended: [{ id: event.id, end }], asks: false };
    }
  }
}

function askAbout(book: ApprovalBook, { id, call, now }: Extract<BookEvent, { event: 'call' }>): BookStep {
  const known = remembered(book, call);
  if (known !== null) {
    const rememberedDenials = book.rememberedDenials + (known.decision.decision === 'deny' ? 1 : 0);
    return { book: { ...book, rememberedDenials }, ended: [{ id, end: known }], asks: false };
  }
  if (book.asked >= book.maxAsks || book.open.size >= book.maxOpen) {
    return { book, ended: [{ id, end: { kind: 'unavailable', how: 'too_many' } }], asks: false };
  }
  const open = new Map(book.open).set(id, { ...call, id, askedAt: now });
  return { book: { ...book, asked: book.asked + 1, open }, ended: [], asks: true };
}

/** What an earlier decision says of a call; null: nothing. A no to exactly this call comes before a yes to its tool. */
function remembered(book: ApprovalBook, call: ApprovableCall): Decided | null {
  const key = callKey(call);
  if (book.denied.has(key)) return rememberedNo(book.denied.get(key), 'once');
  const tool = toolKey(call);
  if (book.deniedTools.has(tool)) return rememberedNo(book.deniedTools.get(tool), 'tool');
  if (book.allowedTools.has(tool)) return rememberedYes('tool');
  if (book.all === null) return null;
  return book.all === 'allow' ? rememberedYes('run') : rememberedNo(book.all.reason, 'run');
}

function rememberedYes(scope: ApprovalDecision['scope']): Decided {
  return { kind: 'decided', decision: { decision: 'allow', scope, by: 'remembered' } };
}

function rememberedNo(reason: string | undefined, scope: ApprovalDecision['scope']): Decided {
  const said = reason === undefined ? {} : { reason };
  return { kind: 'decided', decision: { decision: 'deny', scope, by: 'remembered', ...said } };
}

/** Decides a question, and with it those that are open and that the decision is for too. */
function decide(book: ApprovalBook, question: OpenQuestion, decision: ApprovalDecision): BookStep {
  const { scope } = decision;
  const isFor = (other: OpenQuestion): boolean =>
    other.id === question.id ||
    scope === 'run' ||
    ((scope === 'tool' || scope === 'session') && toolKey(other) === toolKey(question)) ||
    (decision.decision === 'deny' && !isForThisCall(decision) && callKey(other) === callKey(question));
  const decided = [...book.open.values()].filter(isFor);
  const open = new Map(book.open);
  for (const { id } of decided) open.delete(id);
  const ended = decided.map(({ id }): { readonly id: string; readonly end: Decided } => ({
    id,
    end: { kind: 'decided', decision: id === question.id ? decision : { ...decision, by: 'remembered' } },
  }));
  return { book: remember({ ...book, open }, question, decision), ended, asks: false };
}

/** A form that was only closed says no to this call, once. */
function isForThisCall({ isRemembered }: ApprovalDecision): boolean {
  return isRemembered === false;
}

function remember(book: ApprovalBook, question: ApprovableCall, decision: ApprovalDecision): ApprovalBook {
  const { decision: word, scope, reason } = decision;
  if (isForThisCall(decision)) return book;
  if (scope === 'run') return { ...book, all: word === 'allow' ? 'allow' : { reason } };
  if (scope === 'tool' || scope === 'session') {
    const key = toolKey(question);
    return word === 'allow'
      ? { ...book, allowedTools: new Set(book.allowedTools).add(key) }
      : { ...book, deniedTools: new Map(book.deniedTools).set(key, reason) };
  }
  return word === 'allow' ? book : { ...book, denied: new Map(book.denied).set(callKey(question), reason) };
}

function without(book: ApprovalBook, id: string): ApprovalBook {
  const open = new Map(book.open);
  open.delete(id);
  return { ...book, open };
}

function toolKey({ mission, tool }: Pick<ApprovableCall, 'mission' | 'tool'>): string {
  return JSON.stringify([mission, tool]);
}

function callKey({ mission, tool, argumentsHash }: ApprovableCall): string {
  return JSON.stringify([mission, tool, argumentsHash]);
}
