import { diagnostic, providerSubject, type DiagnosticCode } from '../../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../../contract/diagnostics/interruption.ts';
import { failure, type Failed } from '../../../contract/outcome.ts';
import type { EffectiveLimits } from '../../../contract/limits/effective.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { CallAdmission } from '../../providers/source/call-admission.ts';
import type { LocalCheck, LocalCheckTools, Occurrence } from '../../providers/source/installed-provider.ts';
import { checkBudget, hangMs, type CheckClocks } from './check-budget.ts';

export interface LocalCheckRequest {
  readonly reader: DocumentReader;
  /** Canonical directory of the host document. */
  readonly hostDirectory: string;
  /** In order of the declarations. */
  readonly occurrences: readonly Occurrence[];
  /** `local_preflight_timeout_ms`: processor time of all checks together. */
  readonly timeoutMs: number;
  readonly limits: EffectiveLimits;
  readonly tenant: string;
  readonly admission: CallAdmission | null;
  readonly clocks: CheckClocks;
  /** Aborted when the command is stopped. */
  readonly stop: AbortSignal;
  /** A variable of the process. */
  readonly variable: (name: string) => string | undefined;
  /** Whether only what declarations name is looked at: all that `validate` does (runtime.md §1). */
  readonly declarationsAlone: boolean;
}

/** Runs the audited checks of the selected providers (providers.md §3, stage 4); the first that fails is reported. */
export async function checkLocally(request: LocalCheckRequest): Promise<Failed | null> {
  for await (const { refusal } of runLocalChecks(request)) if (refusal !== null) return refusal;
  return null;
}

/** How the check of one occurrence ended. */
export interface CheckedOccurrence {
  readonly occurrence: Occurrence;
  /** Null: it passed. Its hint says what rule was broken and where: no content, no path. */
  readonly refusal: Failed | null;
}

/** The audited checks one after the other, until their common budget is spent. */
export async function* runLocalChecks(request: LocalCheckRequest): AsyncGenerator<CheckedOccurrence> {
  const { reader, hostDirectory, occurrences, timeoutMs, limits, tenant, admission, clocks, stop, variable } = request;
  const budget = checkBudget(timeoutMs, clocks.processorMs);
  const checks = new AbortController();
  const tools = { reader, hostDirectory, limits, tenant, admission, variable, budget, signal: checks.signal };
  const { promise: ending, resolve: end } = Promise.withResolvers<'hung' | 'stopped'>();
  const stopTimer = clocks.startTimer(hangMs(timeoutMs), () => end('hung'));
  const stopped = (): void => end('stopped');
  stop.addEventListener('abort', stopped, { once: true });
  if (stop.aborted) stopped();
  try {
    for (const occurrence of occurrences) {
      const { localCheck } = occurrence.provider;
      if (localCheck === null || (request.declarationsAlone && localCheck.reads !== 'declaration')) continue;
      const found = await awaitUnlessEnded(localCheck, tools, ending);
      yield { occurrence, refusal: refusalOf(found, occurrence) };
      if (found === 'expired' || found === 'stopped') return;
    }
  } finally {
    stopTimer();
    stop.removeEventListener('abort', stopped);
    checks.abort();
  }
}

type Found = Awaited<ReturnType<LocalCheck['run']>> | 'stopped';

/** A check that does not come to an end is not waited for. */
async function awaitUnlessEnded(
  check: LocalCheck,
  tools: LocalCheckTools,
  ending: Promise<'hung' | 'stopped'>,
): Promise<Found> {
  const found = await Promise.race([ending, check.run(tools)]);
  if (found === 'stopped') return found;
  return found === 'hung' || tools.budget.isSpent() ? 'expired' : found;
}

function refusalOf(found: Found, occurrence: Occurrence): Failed | null {
  if (found === 'passed') return null;
  if (found === 'stopped') return failure(interruption());
  return found === 'expired'
    ? refusal('local_check_timeout', occurrence, null)
    : refusal(found.code, occurrence, found.hint, found.search);
}

function refusal(
  code: DiagnosticCode,
  { alias, destination, index }: Occurrence,
  hint: string | null,
  target?: string,
): Failed {
  return failure(diagnostic(code, { subject: providerSubject(alias, 'local', { destination, index }) }), {
    hint,
    provider: target === undefined ? null : { alias, said: target },
  });
}
