import type { CheckReply, CheckRequest } from '../../contract/sandbox-protocol.ts';
import { CompileFailure } from './compile-failure.ts';
import { compileProgram } from './compile.ts';
import { compileFault } from './faults.ts';
import { resume } from './keeping.ts';
import type { Session } from './link/session.ts';
import type { Syntax } from './syntax.ts';
import { positionsOf } from './reader/positions.ts';

/** Compiles a program as an evaluation in this session would, and runs nothing (runtime.md §6). */
export function checkSource(
  session: Session,
  { source, tools, data, terminal, continuation: from }: CheckRequest,
): CheckReply {
  const unreadable = resume(session, from);
  if (unreadable !== null) return { status: 'invalid', fault: unreadable };
  try {
    const { forms } = compileProgram(source, {
      kind: 'program',
      builtins: session.builtins,
      namespaces: session.namespaces,
      tools: new Set(tools),
      data,
      definitions: session.definitions,
      current: session.current,
    });
    if (terminal) requireTerminal(session, forms);
    return { status: 'valid' };
  } catch (thrown) {
    return { status: 'invalid', fault: compileFault(thrown, positionsOf(source)) };
  }
}

const ENDS: ReadonlySet<string> = new Set(['return', 'fail']);

/** A program's own `return` or `fail` is a function like any other (language.md §8). */
function requireTerminal(session: Session, forms: readonly Syntax[]): void {
  const [only, second] = forms;
  const head = only?.kind === 'list' ? only.items[0] : undefined;
  const own = session.definitions.get(session.current);
  const isEnd =
    head?.kind === 'symbol' && head.namespace === null && ENDS.has(head.name) && own?.has(head.name) !== true;
  if (isEnd && second === undefined) return;
  throw new CompileFailure(
    'terminal_source_required',
    'The program must be one top-level (return ...) or (fail ...)',
    second ?? only ?? null,
  );
}
