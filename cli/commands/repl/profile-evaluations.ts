import type { FormEnd, Session, AnalysisSession, SessionCode } from '../../../supervisor/api/sessions.ts';
import type { CommandContext } from '../command.ts';
import { converse } from './converse.ts';
import { SOURCE_MESSAGES, type Input } from './inputs.ts';
import { redacted } from './profile-redaction.ts';
import type { ProfileFailure, ProfileVoice } from './profile-voice.ts';
import type { ReplOutput, ReplStreams } from './streams.ts';

/** What the forms of an analysis session are evaluated with. */
export interface ProfileSetting {
  readonly session: Session;
  readonly profile: AnalysisSession['profile'];
  readonly context: CommandContext;
  readonly output: ReplOutput;
  readonly voice: ProfileVoice;
  readonly previewCharacters: number;
  /** Whether a failed form leaves the rest to be evaluated. */
  readonly continues: boolean;
}

/** What the forms came to. */
export interface Evaluations {
  /** Forms that were evaluated, those before them included. */
  readonly count: number;
  /** Null: every one succeeded. */
  readonly failure: ProfileFailure | null;
  /** JSON text of the last value; null where it has none. */
  readonly lastJson: string | null;
  readonly terminalReason: string | null;
}

/**
 * Evaluates in order, up to the first failure unless the rest is wanted all the same; each has its line in the answer.
 */
export async function evaluateInputs(
  setting: ProfileSetting,
  inputs: readonly Input[],
  before: number,
): Promise<Evaluations> {
  const { session, context, voice, continues } = setting;
  const failed: number[] = [];
  let [count, lastJson]: [number, string | null] = [before, null];
  let reason: string | null = null;
  for (const input of inputs) {
    const source = await input.read();
    if (!source.ok) return { count, failure: sourceFailure(source.code), lastJson: null, terminalReason: null };
    count += 1;
    const end = shown(setting, await session.evaluate(source.text, context.signal));
    await voice.evaluated({
      index: count,
      kind: input.kind,
      end,
      showsValue: input.showsValue,
      name: input.name,
      previewCharacters: setting.previewCharacters,
    });
    if (end.kind === 'value') lastJson = end.isUnavailable === true ? null : end.text;
    else failed.push(count);
    if (end.ended) reason = end.kind === 'failed' ? end.error.kind : 'run_timeout';
    if (
      context.signal.aborted ||
      setting.output.failure() !== null ||
      end.ended ||
      (end.kind === 'failed' && !continues)
    )
      break;
  }
  const failure = reason === null ? evaluationFailure(failed) : limitFailure(reason);
  return { count, failure, lastJson, terminalReason: context.signal.aborted ? 'interrupted' : reason };
}

/** Lines that are typed, or come from a pipe; a form that fails counts here too (cli.md §11, "Exit"). */
export async function converseInProfile(setting: ProfileSetting, streams: ReplStreams): Promise<Evaluations> {
  const { session, context, output, voice, profile } = setting;
  const failed: number[] = [];
  let count = 0;
  const counted: Session = {
    ...session,
    evaluate: async (source, signal) => {
      const end = shown(setting, await session.evaluate(source, signal));
      count += 1;
      if (end.kind === 'failed') failed.push(count);
      return end;
    },
  };
  // What is typed over evidence is not remembered.
  const opened = {
    session: counted,
    banner: voice.banner(profile),
    context: null,
    keepsHistory: false,
    trace: null,
    pointer: () => '',
  };
  const end = await converse({ opened, context, streams, output, showCode: async () => undefined, turns: null });
  const reason = end === 'limit' ? 'limit' : null;
  return {
    count,
    failure: reason === null ? evaluationFailure(failed) : limitFailure(reason),
    lastJson: null,
    terminalReason: context.signal.aborted ? 'interrupted' : reason,
  };
}

function shown({ profile }: ProfileSetting, end: FormEnd): FormEnd {
  return profile.isPrivate ? redacted(end) : end;
}

function evaluationFailure(indexes: readonly number[]): ProfileFailure | null {
  if (indexes.length === 0) return null;
  return { category: 'evaluation', code: 'profile_evaluation_failed', message: 'a form failed', hint: null, indexes };
}

function limitFailure(reason: string): ProfileFailure {
  return { category: 'lifecycle', code: null, message: `a limit ended the session: ${reason}`, hint: null };
}

function sourceFailure(code: Extract<SessionCode, keyof typeof SOURCE_MESSAGES>): ProfileFailure {
  return { category: 'frontend', code, message: SOURCE_MESSAGES[code](65_536), hint: null };
}
