import { STDERR_END_BYTES, type ProviderWords } from '../../contract/provider-protocol/provider-words.ts';
import { visibleLines, visibleText } from '../../contract/visible-text.ts';
import type { RunReport } from '../../supervisor/api/run.ts';
import { quotedName } from './printable.ts';

/**
 * What a provider said of a failure, on one line (world.md §1.5), and what a server wrote on its standard error, each
 * line of it behind a bar, so that none can pass for one of ours (world.md §2.4).
 */
export function providerLines({ alias, said, stderr }: ProviderWords): readonly string[] {
  const whose = `provider ${quotedName(alias)}`;
  const line = `${whose}: ${visibleText(said)}`;
  if (stderr === undefined) return [line];
  const extent = stderr.isTruncated ? `the last ${STDERR_END_BYTES} bytes of its stderr` : 'its stderr';
  const lines = visibleLines(stderr.text).replace(/\n$/, '').split('\n');
  return [line, `${whose}: ${extent}`, ...lines.map((each) => `  | ${each}`)];
}

/** What is said of calls that failed without ending their run. */
export function failedCallsLine(
  { name, alias, count, reasons }: RunReport['failedCalls'][number],
  status: 'ok' | 'error',
): string {
  const whose = alias === null ? '' : ` (alias ${quotedName(alias)})`;
  const calls = `${count} ${count === 1 ? 'call' : 'calls'} of ${quotedName(name)}${whose}`;
  const course = status === 'ok' ? 'failed and the run succeeded' : 'failed before the run did';
  return `note: ${calls} ${course}: ${reasons.map(visibleText).join(', ')}`;
}

/** Codes of calls that end their run, beside those of models: what they say is what the call came to. */
const CALL_CODES: ReadonlySet<string> = new Set(['replay_fixture_missing', 'provider_failed']);

/** Whether a run failed for a call that failed, and says so. */
export function endedByCall({ envelope, advice }: Pick<RunReport, 'envelope' | 'advice'>): boolean {
  if (envelope.status === 'ok') return false;
  const { code } = envelope.error;
  return advice.provider !== null || code.startsWith('llm_') || CALL_CODES.has(code);
}
