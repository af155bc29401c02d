import type { ByteSpan, EvaluateReply, EvaluateRequest, EvaluationFault } from '../../contract/sandbox-protocol.ts';
import { FailSignal, fromHostError, LimitSignal, LispError, ReturnSignal } from '../runtime/errors.ts';
import { printString } from '../runtime/print.ts';
import type { Surroundings } from './analyser/surroundings.ts';
import { project } from './project.ts';
import { CompileFailure } from './compile-failure.ts';
import { compileProgram, type CompiledProgram } from './compile.ts';
import { instantiate } from './link/instantiate.ts';
import type { Session } from './link/session.ts';
import { grantedData } from './link/data.ts';
import { compileFault, publicError } from './faults.ts';
import { byteSpan, positionsOf, type Positions } from './reader/positions.ts';

/** Evaluates one program against the loaded bundle (language.md §12). */
export function evaluate(session: Session, request: EvaluateRequest): EvaluateReply {
  session.environment = request.environment;
  session.data = grantedData(request.data);
  session.tools = new Set(request.tools);
  session.limits.loops = request.loop_iterations ?? Number.MAX_SAFE_INTEGER;
  session.prints.take();
  const positions = positionsOf(request.source);
  const compiled = compiledOrFault(session, request.source, positions);
  if ('fault' in compiled) return { outcome: 'evaluation_error', fault: compiled.fault, prints: [] };
  return run(session, request, compiled.program, positions);
}

function surroundingsOf(session: Session): Surroundings {
  return {
    kind: 'program',
    builtins: session.builtins,
    namespaces: session.namespaces,
    tools: session.tools,
    definitions: session.definitions,
  };
}

function compiledOrFault(
  session: Session,
  source: string,
  positions: Positions,
): { readonly program: CompiledProgram } | { readonly fault: EvaluationFault } {
  try {
    return { program: compileProgram(source, surroundingsOf(session)) };
  } catch (thrown) {
    return { fault: compileFault(thrown, positions) };
  }
}

function run(session: Session, request: EvaluateRequest, program: CompiledProgram, positions: Positions): EvaluateReply {
  let at = 0;
  let value: unknown = null;
  let outcome: 'continued' | 'returned' | 'failed' = 'continued';
  try {
    for (const form of instantiate(session, program.code)) {
      value = form();
      at += 1;
    }
    commit(session, request.source, program);
  } catch (thrown) {
    if (thrown instanceof ReturnSignal) {
      value = thrown.value;
      outcome = 'returned';
      commit(session, request.source, program);
    } else if (thrown instanceof FailSignal) {
      value = thrown.payload;
      outcome = 'failed';
    } else {
      const form = program.forms[at];
      const span = form === undefined ? null : byteSpan(positions, form.start, form.end);
      return { outcome: 'evaluation_error', fault: runtimeFault(thrown, span), prints: session.prints.take() };
    }
  }
  return finished(session, request, outcome, value);
}

/** Keeps what the program defined, and the text of each defining form at its top level. */
function commit(session: Session, source: string, program: CompiledProgram): void {
  for (const form of program.forms) {
    const [head, name] = form.kind === 'list' ? form.items : [];
    if (head?.kind === 'symbol' && name?.kind === 'symbol' && program.definitions.has(name.name) && head.name.startsWith('def')) {
      session.definitionSources.set(name.name, source.slice(form.start, form.end));
    }
  }

  for (const [name, definition] of program.definitions) session.definitions.set(name, definition);
}

/** Projecting may realise lazy seqs, so it can fail and print like the program itself. */
function finished(
  session: Session,
  request: EvaluateRequest,
  outcome: 'continued' | 'returned' | 'failed',
  value: unknown,
): EvaluateReply {
  try {
    if (request.projection === 'printed') {
      const text = printString(value);
      return { outcome, value: text, projection_fault: null, prints: session.prints.take() };
    }
    const projected = project(value);
    if (projected.ok) return { outcome, value: projected.text, projection_fault: null, prints: session.prints.take() };
    const { reason, message } = projected;
    const fault: EvaluationFault = { reason, message, span: null, details: {}, exception_class: null, public_error: null };
    return { outcome, value: null, projection_fault: fault, prints: session.prints.take() };
  } catch (thrown) {
    return { outcome: 'evaluation_error', fault: runtimeFault(thrown, null), prints: session.prints.take() };
  }
}

function runtimeFault(thrown: unknown, span: ByteSpan | null): EvaluationFault {
  const cause = fromHostError(thrown);
  if (cause instanceof CompileFailure) throw cause;
  if (cause instanceof LispError) {
    return {
      reason: cause.reason,
      message: cause.message ?? cause.className,
      span: cause.span ?? span,
      details: {},
      exception_class: cause.className,
      public_error: publicError(cause),
    };
  }
  if (cause instanceof LimitSignal) {
    return { reason: cause.kind, message: cause.message, span, details: cause.details, exception_class: null, public_error: publicError(cause) };
  }
  throw cause;
}
