import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { parseJsonText } from '../../../contract/json/parse.ts';
import { valueOf } from '../../../contract/json/node.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { visibleText } from '../../../contract/visible-text.ts';
import type { FormEnd, AnalysisSession, ClosedAnalysis, SetupRefusal } from '../../../supervisor/api/sessions.ts';
import { errorText, renderFormResult, printsText } from './form-text.ts';
import type { Input } from './inputs.ts';
import { jsonLine } from './json-lines.ts';
import { isRedacted } from './profile-redaction.ts';
import type { ReplOutput } from './streams.ts';

/** Why a command over a profile failed (cli.md §11, JSON Lines, command-error). */
export interface ProfileFailure {
  readonly category: 'cli' | 'setup' | 'evaluation' | 'lifecycle' | 'frontend' | 'persistence';
  /** Null: none of its own. */
  readonly code: string | null;
  readonly message: string;
  readonly hint: string | null;
  /** Evaluations that failed, from 1. */
  readonly indexes?: readonly number[];
  readonly conflict?: NonNullable<SetupRefusal['conflict']>;
}

export interface ProfileEvaluation {
  readonly index: number;
  readonly kind: Input['kind'];
  readonly end: FormEnd;
  readonly showsValue: boolean;
  readonly name: string | null;
  readonly previewCharacters: number;
}

export interface ProfileEnd {
  readonly report: ClosedAnalysis;
  readonly count: number;
  readonly terminalReason: string | null;
}

/** How a session over a profile speaks: to people, or one JSON object per line. */
export interface ProfileVoice {
  readonly banner: (profile: AnalysisSession['profile']) => string;
  readonly started: (session: AnalysisSession) => Promise<void>;
  readonly evaluated: (evaluation: ProfileEvaluation) => Promise<void>;
  readonly closed: (end: ProfileEnd) => Promise<void>;
  readonly failed: (failure: ProfileFailure) => Promise<void>;
}

const EFFECTS: Readonly<Record<string, string>> = {
  continued: 'committed_with_history',
  returned: 'committed_without_history',
};

function effectOf({ outcome, kind }: FormEnd): string {
  return kind === 'failed' ? 'preserved' : (EFFECTS[outcome ?? ''] ?? 'preserved');
}

export function clojureVoice(output: ReplOutput, runRef: string): ProfileVoice {
  let counts = '';
  return {
    banner: ({ id }) => `svc repl: analysis session, profile ${id}\n${counts}`,
    started: async (session) => {
      counts = [...session.counts].map(([name, { files, runs }]) => `${name}: ${files} files, ${runs} runs\n`).join('');
    },
    evaluated: async ({ end, showsValue, name, previewCharacters }) => {
      await output.print(showsValue ? renderFormResult(boundedEnd(end, previewCharacters)) : printsText(end));
      if (end.kind === 'failed') await output.complain(`${errorText(end.error, name)}continuation: ${effectOf(end)}\n`);
    },
    closed: async ({ report }) => {
      if (report.isTraceWritten) await output.complain(`session trace: ${visibleText(report.tracePath)}\n`);
    },
    failed: async ({ category, code, message, hint }) => {
      // What failed in a form was reported with it.
      if (category !== 'evaluation') await output.complain(failureText({ code, message, hint, runRef }));
    },
  };
}

/** JSON text of a value that is kept in a file is shown no longer than a preview. */
function boundedEnd(end: FormEnd, characters: number): FormEnd {
  if (end.kind === 'failed' || end.text.length <= characters) return end;
  return { ...end, text: `${end.text.slice(0, characters).toWellFormed()}…\n;; truncated: output` };
}

function failureText({
  code,
  message,
  hint,
  runRef,
}: {
  readonly code: string | null;
  readonly message: string;
  readonly hint: string | null;
  readonly runRef: string;
}): string {
  return `error: repl/${code ?? 'command_failed'}: ${visibleText(message)} (run_ref: ${runRef})${hint === null ? '' : `; ${visibleText(hint)}`}\n`;
}

export function jsonVoice(output: ReplOutput, runRef: string): ProfileVoice {
  let sessionId = '';
  return {
    banner: () => '',
    started: async (session) => {
      ({ sessionId } = session);
      await output.print(
        jsonLine('session-started', {
          profile_id: session.profile.id,
          profile_digest: session.profileDigest,
          session_id: sessionId,
          namespaces: [...session.profile.namespaces],
          capture: new Map(
            [...session.counts].map(([name, { files, runs }]) => [name, plain({ file_count: files, run_count: runs })]),
          ),
        }),
      );
    },
    evaluated: async ({ index, kind, end }) =>
      output.print(jsonLine('evaluation', { index, input_kind: kind, result: resultOf(end) })),
    closed: async ({ report, count, terminalReason }) => {
      const { isTraceWritten, tracePath, calls } = report;
      await output.print(
        jsonLine('session-closed', {
          status: 'ok',
          trace_path: isTraceWritten ? tracePath : null,
          session: plain({
            lifecycle: terminalReason === null ? 'closed' : 'terminal',
            evaluation_count: count,
            terminal_reason: terminalReason,
            usage: { evaluations: count, capability_calls: calls },
            trace: { persistence: 'canonical-trace-on-close', session_id: sessionId, written: isTraceWritten },
          }),
        }),
      );
    },
    failed: async ({ category, code, message, hint, indexes, conflict }) => {
      await output.print(
        jsonLine('command-error', {
          category,
          message,
          ...(code === null ? {} : { code }),
          ...(indexes === undefined ? {} : { evaluation_indexes: [...indexes] }),
          ...(conflict === undefined
            ? {}
            : {
                directory_conflict: plain({
                  left_role: conflict.left,
                  right_role: conflict.right,
                  relation: conflict.relation,
                }),
              }),
        }),
      );
      await output.complain(failureText({ code, message, hint, runRef }));
    },
  };
}

/** As a mission's record: no source. A value that is no JSON is reported by its absence. */
function resultOf(end: FormEnd): JsonValue {
  const facts = {
    outcome: end.outcome ?? 'evaluation_error',
    continuation_effect: effectOf(end),
    prints: [...end.prints],
  };
  if (end.kind === 'value') {
    const isThere = end.isUnavailable !== true;
    return new Map<string, JsonValue>([
      ...Object.entries(facts),
      ['value_available?', isThere],
      ...(isThere ? [['value', jsonOf(end.text)] as const] : []),
    ]);
  }
  const { kind, message, place } = end.error;
  return new Map<string, JsonValue>([
    ...Object.entries(facts),
    [
      'error',
      plain({
        kind,
        message,
        ...(place === null ? {} : place),
        ...(isRedacted(end) ? { 'message_redacted?': true } : {}),
      }),
    ],
  ]);
}

function jsonOf(text: string): JsonValue {
  const parsed = parseJsonText(text, { bytes: Number.MAX_SAFE_INTEGER, depth: 512, nodes: Number.MAX_SAFE_INTEGER });
  if (!parsed.ok) throw new Error('the sandbox sends values as JSON');
  return valueOf(parsed.root);
}

function plain(value: unknown): JsonValue {
  const json = jsonFromPlain(value);
  if (json === undefined) throw new TypeError('only JSON is reported');
  return json;
}
