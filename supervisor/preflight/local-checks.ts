import { diagnostic, providerSubject } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic, DiagnosticCode } from '../../contract/diagnostics/diagnostic.ts';
import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import type { Now } from '../documents/budget.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { CallAdmission } from '../provider-source/call-admission.ts';
import type { LocalCheck, LocalCheckTools, Occurrence } from '../provider-source/installed-provider.ts';

/** A local check that failed. */
export interface LocalRefusal {
  readonly diagnostic: Diagnostic;
  /** What rule was broken and where, for people; no content, no path. Null when the diagnostic says all. */
  readonly hint: string | null;
}

export interface LocalCheckRequest {
  readonly reader: DocumentReader;
  /** Canonical directory of the host document. */
  readonly hostDirectory: string;
  /** In order of the declarations. */
  readonly occurrences: readonly Occurrence[];
  /** `local_preflight_timeout_ms`: for all checks together. */
  readonly timeoutMs: number;
  readonly limits: EffectiveLimits;
  readonly tenant: string;
  readonly admission: CallAdmission | null;
  readonly now: Now;
  /** A variable of the process. */
  readonly variable: (name: string) => string | undefined;
  /** Whether only what declarations name is looked at: all that `validate` does (runtime.md §1). */
  readonly declarationsAlone: boolean;
}

/** Runs the audited checks of the selected providers (providers.md §3, stage 4); the first that fails is told. */
export async function checkLocally(request: LocalCheckRequest): Promise<LocalRefusal | null> {
  for await (const { refusal } of localChecks(request)) if (refusal !== null) return refusal;
  return null;
}

/** How the check of one occurrence ended. */
export interface CheckedOccurrence {
  readonly occurrence: Occurrence;
  /** Null: it passed. */
  readonly refusal: LocalRefusal | null;
}

/** The audited checks one after the other, until their common time is used up. */
export async function* localChecks({ reader, hostDirectory, occurrences, timeoutMs, limits, tenant, admission, now, variable, declarationsAlone }: LocalCheckRequest): AsyncGenerator<CheckedOccurrence> {
  const deadline = now() + timeoutMs;
  const tools = { reader, hostDirectory, limits, tenant, admission, variable, remainingMs: () => deadline - now() };
  for (const occurrence of occurrences) {
    const { localCheck } = occurrence.provider;
    if (localCheck === null || (declarationsAlone && localCheck.reads !== 'declaration')) continue;
    const end = await inTime(localCheck, tools);
    if (end === 'expired') {
      yield { occurrence, refusal: refusal('local_check_timeout', occurrence, null) };
      return;
    }
    yield { occurrence, refusal: end === 'passed' ? null : refusal(end.code, occurrence, end.hint) };
  }
}

/** A check that does not come to an end is not waited for. */
async function inTime(check: LocalCheck, tools: LocalCheckTools): ReturnType<LocalCheck['run']> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'expired'>((resolve) => {
    timer = setTimeout(() => resolve('expired'), Math.max(0, tools.remainingMs()));
  });
  try {
    return await Promise.race([check.run(tools), late]);
  } finally {
    clearTimeout(timer);
  }
}

function refusal(code: DiagnosticCode, { alias, destination, index }: Occurrence, hint: string | null): LocalRefusal {
  return { diagnostic: diagnostic(code, { subject: providerSubject(alias, 'local', { destination, index }) }), hint };
}
