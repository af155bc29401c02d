import type { ReadReply } from '../../contract/sandbox-protocol.ts';
import { closeRun, withRun } from '../run/close-run.ts';
import type { Run } from '../run/run.ts';
import { sealRun, type SealedRun } from '../run/seal.ts';
import type { FormEnd } from './form-end.ts';
import { SessionForms, type FormOptions } from './session-forms.ts';
import { SessionPlace } from './session-place.ts';

/** A session of forms that see each other's definitions (language.md §12). One request at a time. */
export interface Session {
  /** Whether a text is ready to be evaluated; `complete` when the sandbox cannot know. */
  readiness(source: string): Promise<ReadReply['status']>;
  /** Evaluates one form or script as one transaction. Aborting gives it up, and the isolate with it. */
  evaluate(source: string, signal: AbortSignal): Promise<FormEnd>;
  /** Bytes of one form or script. */
  readonly sourceBytes: number;
  /** Names that a form may say: built-ins, definitions, exports, `data/` and `tool/`. */
  names(): Promise<readonly string[]>;
  /** What `doc` prints of a name, which must read as one symbol; null where it cannot be asked. */
  documentation(name: string): Promise<string | null>;
  /** The last value as `pr-str` prints it, whole; null for one that is too long to be printed. */
  wholeValue(): Promise<string | null>;
  /** Whether a limit of the whole session has been reached. */
  hasEnded(): boolean;
  /** What its run left; null where none was opened. */
  close(): Promise<SealedRun | null>;
}

export interface SessionOptions extends FormOptions {
  /** The run of the session, or what opens it with its first form. */
  readonly run: Run | (() => Promise<Run>);
  /** Called with the whole trace once the session is over and its run sealed: lines, each with its line feed. */
  readonly onSealed?: (lines: string) => Promise<void>;
}

/** Reading a form runs none of it; the bound is that of compiling (language.md §20). */
const READ_TIMEOUT_MS = 5000;

/**
 * A session in one run: its forms are evaluated there one after the other, in one isolate. When that is lost, by a
 * timeout, a full memory or an interruption, the next form finds a fresh one with what could be written down of the
 * forms before it.
 */
export function openSession(options: SessionOptions): Session {
  const place = new SessionPlace(options.run, options.mission);
  const forms = new SessionForms(options, place);
  return {
    sourceBytes: options.limits.sourceBytes,
    evaluate: async (source, signal) => forms.evaluate(source, signal),
    names: async () => forms.names(),
    documentation: async (name) => {
      const text: unknown = JSON.parse((await forms.aside(`(return (with-out-str (doc ${name})))`, 'json')) ?? 'null');
      return typeof text === 'string' ? text : null;
    },
    wholeValue: async () => forms.aside('(return *1)', 'printed'),
    hasEnded: () => forms.hasEnded(),

    async readiness(source) {
      if (forms.isTooLong(source)) return 'complete';
      const { isolate } = await place.get();
      const reading = await isolate.current();
      const outcome = await reading.request({ operation: 'read', source }, { timeoutMs: READ_TIMEOUT_MS });
      return outcome.status === 'replied' ? outcome.reply.status : 'complete';
    },

    async close() {
      const opened = await place.opened();
      if (opened === null) return null;
      const { run, isolate } = opened;
      await isolate.close();
      return withRun(run, async () => {
        const sealed = await sealRun(run, await closeRun(run), { kind: 'none' });
        if (options.onSealed !== undefined) await options.onSealed(await readLines(run));
        return sealed;
      });
    },
  };
}

async function readLines({ recorder }: Run): Promise<string> {
  const lines: string[] = [];
  for (;;) {
    const read = await recorder.since(lines.length + 1);
    if (read.length === 0) return lines.map((line) => `${line}\n`).join('');
    lines.push(...read.map(({ text }) => text));
  }
}
