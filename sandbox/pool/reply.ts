import { EFFECTS } from '../../contract/effect.ts';
import { readReplyText } from '../../contract/reply-text.ts';
import {
  MOST_REQUIRED_NAMES,
  type BranchReply,
  type ByteSpan,
  type CheckReply,
  type CompileFault,
  type CompileReply,
  type EvaluateReply,
  type EvaluateRequest,
  type EvaluationFault,
  type ExportFact,
  type FaultFrame,
  type FaultReport,
  type GuestReply,
  type IsolateRequest,
  type StoredContinuation,
  type LoadReply,
  type DefinitionSize,
  type NamespaceFact,
  type Observation,
  type PreludeCall,
  type ReadReply,
  type RequiredNames,
} from '../../contract/sandbox-protocol.ts';

/**
 * Reads the guest's answers. A guest runs hostile text, so its answer is checked member by member against the protocol
 * before the supervisor sees it; anything else is null.
 */
export function parseGuestReply<R extends IsolateRequest>(request: R, text: string): GuestReply<R> | null;
export function parseGuestReply(
  request: IsolateRequest,
  text: string,
): BranchReply | CheckReply | CompileReply | LoadReply | EvaluateReply | ReadReply | null {
  const value = readReplyText(text);
  const isReply = REPLY_CHECKS[request.operation];
  if (!isReply(value)) return null;
  return request.operation !== 'evaluate' || !isEvaluateReply(value) || matchesRequest(request, value) ? value : null;
}

/** Whether a guest says that it failed itself, which an honest one does for a mistake of its own. */
export function isInternalFault(text: string): boolean {
  return text.startsWith(INTERNAL_FAULT);
}

const INTERNAL_FAULT = '{"status":"internal_fault",';

type Check<T> = (value: unknown) => value is T;
type Shape<T> = { readonly [K in keyof T]-?: Check<T[K]> };
type OptionalName<T> = { [K in keyof T]-?: T extends Record<K, T[K]> ? never : K }[keyof T];
type Member = readonly [name: string, check: (value: unknown) => boolean];

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function oneOf<const T extends string>(...words: readonly T[]): Check<T> {
  return (value): value is T => words.some((word) => word === value);
}

function orNull<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value);
}

function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(check);
}

/** An object with these members and, if it likes, the optional ones; no others. */
function record<T>(required: Shape<Omit<T, OptionalName<T>>>, optional?: Shape<Pick<T, OptionalName<T>>>): Check<T> {
  const needed: readonly Member[] = Object.entries(required);
  const admitted: readonly Member[] = Object.entries(optional ?? {});
  return (value): value is T => {
    if (!isRecord(value)) return false;
    const present = admitted.filter(([name]) => Object.hasOwn(value, name));
    return (
      Object.keys(value).length === needed.length + present.length &&
      [...needed, ...present].every(([name, check]) => Object.hasOwn(value, name) && check(value[name]))
    );
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNothing(value: unknown): value is null {
  return value === null;
}

type PublicError = NonNullable<EvaluationFault['public_error']>;

const isSpan = record<ByteSpan>({ start_byte: isCount, end_byte: isCount });

const isEffect = oneOf(...EFFECTS);

const isExportFact: Check<ExportFact> = record<ExportFact>(
  {
    ref: isText,
    kind: oneOf('function', 'constant'),
    arities: listOf(isCount),
    variadic_from: orNull(isCount),
    requirements: listOf(isText),
    effect: isEffect,
    visibility: oneOf('prompt', 'discoverable'),
    doc: orNull(isText),
  },
  { declared_effect: orNull(isEffect), contract: orNull(isText) },
);

const isNamespaceFact = record<NamespaceFact>({ name: isText, component: isText, doc: orNull(isText) });

const isCompileFault: Check<CompileFault> = record<CompileFault>({
  reason: isText,
  message: isText,
  component: orNull(isText),
  span: orNull(isSpan),
  details: isRecord,
});

const isFaultReport = record<FaultReport>({
  message: isText,
  trail: listOf(record<FaultFrame>({ component: orNull(isText), ref: orNull(isText), span: isSpan })),
  data: orNull(isText),
  cause: orNull(isText),
});

const isEvaluationFault: Check<EvaluationFault> = record<EvaluationFault>(
  {
    reason: isText,
    message: isText,
    span: orNull(isSpan),
    details: isRecord,
    exception_class: orNull(isText),
    public_error: orNull(record<PublicError>({ kind: isText, message: isText })),
  },
  { report: isFaultReport },
);

const isRefused = record<Extract<LoadReply, { status: 'refused' }>>({
  status: oneOf('refused'),
  fault: isCompileFault,
});
const isCompiled = record<Extract<CompileReply, { status: 'compiled' }>>(
  { status: oneOf('compiled'), code: isText, exports: listOf(isExportFact) },
  { namespaces: listOf(isNamespaceFact) },
);
const isRefusedCompilation = record<Extract<CompileReply, { status: 'refused' }>>(
  { status: oneOf('refused'), fault: isCompileFault },
  { faults: listOf(isCompileFault) },
);
const isLoaded = record<Extract<LoadReply, { status: 'loaded' }>>({ status: oneOf('loaded') });

function isCompileReply(value: unknown): value is CompileReply {
  return isCompiled(value) || isRefusedCompilation(value);
}

function isLoadReply(value: unknown): value is LoadReply {
  return isLoaded(value) || isRefused(value);
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

const isStored = record<StoredContinuation>(
  {
    definitions: isText,
    history: listOf(isText),
    defined_count: isCount,
    history_count: isCount,
    memory_bytes: isCount,
    history_bytes: isCount,
  },
  { is_unchanged: isFlag },
);

const OUTCOMES = oneOf('continued', 'returned', 'failed');
const isObservation = record<Observation>({
  text: isText,
  value_truncated: isFlag,
  prints_truncated: isFlag,
  caps_hit: listOf(isText),
  sampled_keys: listOf(isText),
});
const isPreludeCalls = listOf(record<PreludeCall>({ ref: isText, component_id: isText }));
/** An object of texts, no larger than what a session keeps. */
function isNames(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.keys(value).length <= MOST_REQUIRED_NAMES && Object.values(value).every(isText);
}

const isRequired = record<RequiredNames>({ aliases: isNames, refers: isNames });
const isValue = record<Extract<EvaluateReply, { value: string | null }>>(
  { outcome: OUTCOMES, value: orNull(isText), projection_fault: orNull(isEvaluationFault), prints: listOf(isText) },
  {
    observation: isObservation,
    is_last_reply: isFlag,
    prelude_calls: isPreludeCalls,
    code: isText,
    continuation: isStored,
    commit_refusal: oneOf('memory_exceeded', 'history_exceeded'),
    largest: listOf(record<DefinitionSize>({ name: isText, bytes: isCount })),
    unretainable: isText,
    required: isRequired,
    namespace: isText,
  },
);
const isEvaluationError = record<Extract<EvaluateReply, { fault: EvaluationFault }>>(
  { outcome: oneOf('evaluation_error'), fault: isEvaluationFault, prints: listOf(isText) },
  { prelude_calls: isPreludeCalls, code: isText },
);
const isInvalid = record<Extract<CheckReply, { status: 'invalid' }>>({
  status: oneOf('invalid'),
  fault: isEvaluationFault,
});
const isValid = record<Extract<CheckReply, { status: 'valid' }>>({ status: oneOf('valid') });

function isCheckReply(value: unknown): value is CheckReply {
  return isValid(value) || isInvalid(value);
}

const isReadReply = record<ReadReply>({ status: oneOf('complete', 'incomplete', 'empty') });

/** Whether a reply has what the request asked for, and no more. */
function matchesRequest(request: EvaluateRequest, reply: EvaluateReply): boolean {
  if (reply.code !== undefined && request.show_code !== true) return false;
  if (reply.outcome === 'evaluation_error') return true;
  const isFailed = reply.outcome === 'failed';
  if (reply.is_last_reply !== undefined && !isFailed) return false;
  if (reply.required !== undefined && (request.required === undefined || isFailed)) return false;
  return matchesObservation(request, reply) && matchesContinuation(request, reply);
}

type Valued = Extract<EvaluateReply, { value: string | null }>;

function matchesObservation(
  { projection, observation_characters: characters }: EvaluateRequest,
  { outcome, value, observation }: Valued,
): boolean {
  const mayBe = projection === 'json' && characters !== undefined && outcome !== 'failed';
  if (observation === undefined) return !(mayBe && outcome === 'continued');
  return mayBe && observation.text.length <= characters && (outcome === 'returned' || value === null);
}

/** With `commit` a success has one or the other; where only the isolate is kept, possibly neither. */
function matchesContinuation(
  { commit, keeps_isolate: keeps, omits_unchanged: omits }: EvaluateRequest,
  { outcome, continuation, commit_refusal: refusal, largest, unretainable }: Valued,
): boolean {
  const saysMore = largest !== undefined || unretainable !== undefined;
  if (saysMore && (keeps !== true || commit === undefined || continuation !== undefined)) return false;
  if (continuation === undefined && refusal === undefined)
    return commit === undefined || keeps === true || outcome === 'failed';
  if (commit === undefined || outcome === 'failed' || (continuation !== undefined && refusal !== undefined))
    return false;
  return continuation?.is_unchanged !== true || (omits === true && continuation.definitions === '');
}

/**
 * Exactly one of a value and the fault of its projection, or neither where an observation takes the place of a plain
 * value.
 */
function isEvaluateReply(value: unknown): value is EvaluateReply {
  if (isEvaluationError(value)) return true;
  if (!isValue(value)) return false;
  if (value.outcome === 'continued' && value.observation !== undefined)
    return isNothing(value.value) && isNothing(value.projection_fault);
  return isNothing(value.value) !== isNothing(value.projection_fault);
}

const isBranchValue = record<Extract<BranchReply, { outcome: 'value' }>>(
  { outcome: oneOf('value'), value: isText, printed: listOf(isText) },
  { is_worn: isFlag },
);
const isBranchFailure = record<Extract<BranchReply, { outcome: 'error' | 'failed' }>>({
  outcome: oneOf('error', 'failed'),
  value: isText,
  printed: listOf(isText),
});
const isBranchEnd = record<Extract<BranchReply, { outcome: 'returned' }>>({
  outcome: oneOf('returned'),
  printed: listOf(isText),
});
const isBranchLimit = record<Extract<BranchReply, { kind: string }>>({
  outcome: oneOf('limit'),
  kind: isText,
  message: isText,
  details: isRecord,
  printed: listOf(isText),
});

function isBranchReply(value: unknown): value is BranchReply {
  return isBranchValue(value) || isBranchFailure(value) || isBranchEnd(value) || isBranchLimit(value);
}

const REPLY_CHECKS = {
  branch: isBranchReply,
  compile: isCompileReply,
  load: isLoadReply,
  evaluate: isEvaluateReply,
  check: isCheckReply,
  read: isReadReply,
} as const;
