import type { RunReference } from '../../contract/run-reference.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { Clock } from '../../system/clock.ts';
import { scratchLimits } from './limits.ts';
import { openScratchRun } from './scratch.ts';
import { openSession, type Session } from './session.ts';

export { systemClock } from '../../system/clock.ts';
export type { FormEnd, FormError } from './form-end.ts';
export type { Session } from './session.ts';

/** What a scratch session of `svc repl` is opened with. */
export interface ScratchSessionOptions {
  readonly runRef: RunReference;
  readonly sandbox: () => Promise<Sandbox>;
  readonly clock: Clock;
  /** Whether people type the forms, or they were all given with the command. */
  readonly input: 'given' | 'line-loop';
  /** UTF-16 units of a preview, 64 or more. */
  readonly previewCharacters: number;
  /** Whether ends of forms carry the generated code. */
  readonly showCode: boolean;
  /** Called with the trace of the session at its end; absent: it leaves none. */
  readonly onSealed?: (lines: string) => Promise<void>;
}

/** A session with the core language alone: no application, no tools, no data (cli.md §11, scratch). */
export function openScratchSession(options: ScratchSessionOptions): Session {
  const { runRef, sandbox, clock, previewCharacters, showCode, onSealed } = options;
  const limits = scratchLimits(options.input);
  return openSession({
    run: () => openScratchRun({ sandbox, clock }, runRef, limits),
    clock,
    limits,
    tools: [],
    data: {},
    previewCharacters,
    showCode,
    ...(onSealed === undefined ? {} : { onSealed }),
  });
}
