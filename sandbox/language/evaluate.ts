import type {
  EvaluateReply,
  EvaluateRequest,
  EvaluationFault,
  Observation,
  PreludeCall,
} from '../../contract/sandbox-protocol.ts';
import { FailSignal, fromHostError, LimitSignal, LispError, ReturnSignal, stackOf } from '../runtime/errors.ts';
import { preview } from '../runtime/preview.ts';
import { printString } from '../runtime/print.ts';
import { LispMap } from '../runtime/values/map.ts';
import type { AnalysisContext } from './analyser/surroundings.ts';
import { begin } from './begin.ts';
import { callPlaces } from './call-place.ts';
import { exportCall } from './export-call.ts';
import { HISTORY } from './history.ts';
import { errorOfFailure, errorOfMessage, rememberError } from './last-error.ts';
import { retainSession, resume } from './keeping.ts';
import { observe } from './observe.ts';
import { project } from './project.ts';
import { compileProgram, type CompiledProgram } from './compile.ts';
import { indented } from './code-text.ts';
import { faultPlaces, type FaultPlaces, type RunningProgram } from './fault-place.ts';
import { limitOf } from './link/exceptions.ts';
import { type FormFunctions, instantiate } from './link/instantiate.ts';
import type { Session } from './link/session.ts';
import { beginTransaction } from './link/transaction.ts';
import { compileFault, publicError } from './faults.ts';
import { faultReport } from './fault-report.ts';
import { faultWords } from './fault-words.ts';
import { withoutPrivateName } from './private-names.ts';
import { positionsOf, type Positions } from './reader/positions.ts';

/**
 * Evaluates one program against the loaded bundle. What it defined and changed is kept only when it completes or
 * returns, its value as `*1` only when it completes; anything else leaves the session as it was (language.md §12).
 */
export function evaluate(session: Session, request: EvaluateRequest): EvaluateReply {
  begin(session, request);
  const positions = positionsOf(request.source);
  const unreadable = resume(session, request.continuation);
  if (unreadable !== null) return { outcome: 'evaluation_error', fault: unreadable, prints: [] };
  // What a session required may give the namespace of an export to another one.
  const isWritten = request.show_code === true || request.required !== undefined;
  const call = isWritten ? null : exportCall(session, request.source);
  const context = analysisContext(session, request);
  const compiled = call ?? compiledOrFault(request.source, context, positions);
  if ('fault' in compiled) {
    rememberError(session, errorOfMessage(compiled.fault.message));
    return { outcome: 'evaluation_error', fault: compiled.fault, prints: [] };
  }
  const { program } = compiled;
  const running: RunningProgram = {
    source: request.source,
    compiled: program,
    context,
    positions,
    form: null,
  };
  // What is kept as text elsewhere need not be put back here: a session that failed is not used again.
  const rollBack =
    request.commit === undefined || request.keeps_isolate === true
      ? beginTransaction(session)
      : () => void (session.spent = true);
  let keeps = false;
  try {
    const ended = run(session, running, call?.functions ?? null);
    const reply = 'fault' in ended ? failed(session, ended.fault) : finished(session, request, ended, running);
    let answer = reply;
    if ((reply.outcome === 'continued' || reply.outcome === 'returned') && 'value' in ended) {
      commit(session, request.source, program);
      if (reply.outcome === 'continued') remember(session, ended.value);
      answer = retainSession(session, request, { ...reply, ...leftBy(program) });
      keeps =
        request.keeps_isolate === true ||
        (answer.outcome !== 'evaluation_error' && answer.commit_refusal === undefined);
    }
    const calls = preludeCalls(session, program);
    if (calls.length > 0) answer = { ...answer, prelude_calls: calls };
    return request.show_code === true ? { ...answer, code: indented(program.code) } : answer;
  } finally {
    session.callPlaces = NO_PLACES;
    if (!keeps) rollBack();
  }
}

/** What a person who types has after a program. */
function leftBy({ required, namespace }: CompiledProgram): Pick<Success, 'required' | 'namespace'> {
  return required === null ? {} : { required, namespace };
}

/** Of a session that runs nothing. */
const NO_PLACES = (): string => '[]';

function analysisContext(session: Session, { required }: EvaluateRequest): AnalysisContext {
  return {
    kind: 'program',
    builtins: session.builtins,
    namespaces: session.namespaces,
    tools: session.tools,
    data: [...session.data.keys()],
    definitions: session.definitions,
    current: session.current,
    hasLastError: session.keepsError,
    ...(required === undefined ? {} : { required }),
  };
}

function compiledOrFault(
  source: string,
  analysisContext: AnalysisContext,
  positions: Positions,
): { readonly program: CompiledProgram } | { readonly fault: EvaluationFault } {
  try {
    return { program: compileProgram(source, analysisContext) };
  } catch (thrown) {
    return { fault: compileFault(thrown, positions) };
  }
}

type Success = Exclude<EvaluateReply, { readonly outcome: 'evaluation_error' }>;

/** How the forms of a program ended, before the value leaves. */
interface ProgramEnd {
  readonly outcome: 'continued' | 'returned' | 'failed';
  readonly value: unknown;
}

/** `functions`: those of the forms where they need no code. */
function run(
  session: Session,
  program: RunningProgram,
  functions: FormFunctions | null,
): ProgramEnd | { readonly fault: EvaluationFault } {
  let at = 0;
  let value: unknown = null;
  const running = { kind: 'program', program, form: () => program.compiled.forms[at] ?? null } as const;
  session.callPlaces = (branchOf) => callPlaces(session, running, branchOf);
  try {
    for (const form of functions ?? link(session, program.compiled)) {
      value = form();
      at += 1;
    }
    return { outcome: 'continued', value };
  } catch (last) {
    // What a `finally` raised takes no limit's place.
    const thrown = limitOf(session) ?? last;
    if (thrown instanceof ReturnSignal) return { outcome: 'returned', value: thrown.value };
    if (thrown instanceof FailSignal) return { outcome: 'failed', value: thrown.payload };
    return { fault: runtimeFault(session, thrown, { ...program, form: program.compiled.forms[at] ?? null }) };
  }
}

/** Functions of the program's forms; the code is kept for the functions that it makes. */
function link(session: Session, { block, code }: CompiledProgram): FormFunctions {
  if (block !== null) session.blocks.set(block, code);
  return instantiate(session, code);
}

function failed(session: Session, fault: EvaluationFault): EvaluateReply {
  return { outcome: 'evaluation_error', fault, prints: session.prints.take() };
}

function remember(session: Session, value: unknown): void {
  session.history = [value, ...session.history].slice(0, HISTORY);
}

/**
 * Keeps what the program defined, the text of each defining form at its top level, and the namespace that it ended in.
 */
function commit(session: Session, source: string, program: CompiledProgram): void {
  let { current } = session;
  for (const form of program.forms) {
    const [head, name] = form.kind === 'list' ? form.items : [];
    if (head?.kind !== 'symbol' || name?.kind !== 'symbol') continue;
    if (head.name === 'ns') current = name.name;
    else if (head.name.startsWith('def') && program.definitions.get(current)?.has(name.name) === true)
      session.definitionSources.set(`${current}/${name.name}`, source.slice(form.start, form.end));
  }
  session.definitions = program.definitions;
  session.current = program.namespace;
}

/** Projecting may realise lazy seqs, so it can fail and print like the program itself. */
function finished(
  session: Session,
  request: EvaluateRequest,
  { outcome, value }: ProgramEnd,
  program: RunningProgram,
): EvaluateReply {
  try {
    if (outcome === 'failed' && session.keepsError)
      rememberError(session, errorOfFailure(preview(value, request.preview_characters), value));
    if (request.projection !== 'json') {
      const text = request.projection === 'printed' ? printString(value) : preview(value, request.preview_characters);
      return { outcome, value: text, projection_fault: null, prints: session.prints.take() };
    }
    const characters = outcome === 'failed' ? undefined : request.observation_characters;
    if (characters !== undefined && outcome === 'continued')
      return { outcome, value: null, projection_fault: null, ...observed(session, value, characters) };
    const projected = project(value);
    const shown = characters === undefined ? { prints: session.prints.take() } : observed(session, value, characters);
    const provenance =
      outcome === 'failed' && value instanceof LispMap && value === session.lastReply ? { is_last_reply: true } : {};
    if (projected.ok) return { outcome, value: projected.text, projection_fault: null, ...shown, ...provenance };
    const { reason, message } = projected;
    const fault: EvaluationFault = {
      reason,
      message,
      span: null,
      details: {},
      exception_class: null,
      public_error: null,
    };
    return { outcome, value: null, projection_fault: fault, ...shown, ...provenance };
  } catch (last) {
    const thrown = limitOf(session) ?? last;
    // A lazy part of the value ended the program with another one.
    if (thrown instanceof ReturnSignal)
      return finished(session, request, { outcome: 'returned', value: thrown.value }, program);
    if (thrown instanceof FailSignal)
      return finished(session, request, { outcome: 'failed', value: thrown.payload }, program);
    return failed(session, runtimeFault(session, thrown, program));
  }
}

/** Prints are taken before the value is looked at, so that they are those of the program. */
function observed(
  session: Session,
  value: unknown,
  characters: number,
): { readonly prints: readonly string[]; readonly observation: Observation } {
  const prints = session.prints.take();
  return { prints, observation: observe(value, prints, characters) };
}

/** Exports of the bundle that a program names, sorted (evidence.md §6, `evaluation-analysis`). */
function preludeCalls(session: Session, { references }: CompiledProgram): readonly PreludeCall[] {
  const calls: PreludeCall[] = [];
  for (const ref of [...references].toSorted()) {
    const namespace = session.namespaces.get(ref.slice(0, ref.indexOf('/')));
    if (namespace !== undefined) calls.push({ ref, component_id: namespace.component });
  }
  return calls;
}

function runtimeFault(session: Session, thrown: unknown, program: RunningProgram): EvaluationFault {
  const cause = fromHostError(thrown);
  if (!(cause instanceof LispError || cause instanceof LimitSignal)) throw cause;
  const places = faultPlaces(session, stackOf(cause), program);
  const span = places.program?.span ?? null;
  if (cause instanceof LimitSignal) {
    const details = { ...placeDetails(places), ...cause.details };
    rememberError(session, errorOfMessage(cause.message));
    return {
      reason: cause.kind,
      message: cause.message,
      span,
      details,
      exception_class: null,
      public_error: publicError(cause),
      report: faultReport(cause.message, places.trail, null),
    };
  }
  const shown = withoutPrivateName(session, cause, places.component?.ref ?? null);
  rememberError(session, shown);
  return {
    reason: cause.reason,
    message: faultWords(session, shown, places.form),
    span,
    details: { ...placeDetails(places), ...branchFailure(cause) },
    exception_class: cause.className,
    public_error: publicError(shown),
    report: faultReport(faultWords(session, cause, places.form), places.trail, cause),
  };
}

function placeDetails({ program, component }: FaultPlaces): Readonly<Record<string, unknown>> {
  const where = program === null ? {} : { line: program.line, column: program.column };
  if (component === null) return where;
  const { span, ...facts } = component;
  return { ...where, in_component: { ...facts, ...span } };
}

/** Bytes of a failure that an error may carry: what no refusal of a run exceeds. */
const FAILURE_LENGTH = 4096;

/** What an error of `pmap` or `pcalls` keeps of the `fail` that caused it, as JSON text (runtime.md §8). */
function branchFailure({ reason, cause }: LispError): Readonly<Record<string, unknown>> {
  if (
    (reason !== 'pmap_error' && reason !== 'pcalls_error') ||
    !(cause instanceof LispError) ||
    !(cause.data instanceof LispMap)
  )
    return {};
  const failure = projectedOrNull(cause.data);
  return failure !== null && failure.length <= FAILURE_LENGTH ? { failure } : {};
}

/**
 * Lazy parts of the data are the program's: they may fail, have no end, or end the evaluation, which has ended already.
 */
function projectedOrNull(value: unknown): string | null {
  try {
    const projected = project(value);
    return projected.ok ? projected.text : null;
  } catch (thrown) {
    if (isEndOfProgram(fromHostError(thrown))) return null;
    throw thrown;
  }
}

function isEndOfProgram(thrown: unknown): boolean {
  return (
    thrown instanceof LispError ||
    thrown instanceof LimitSignal ||
    thrown instanceof FailSignal ||
    thrown instanceof ReturnSignal
  );
}
