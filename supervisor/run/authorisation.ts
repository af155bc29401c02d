import { failure, type Failed, type Outcome } from '../../contract/outcome.ts';
import type { Credentials } from '../../contract/provider-protocol/credentials.ts';
import { explanationOf } from '../../contract/diagnostics/explanation.ts';
import { diagnostic, providerSubject } from '../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../contract/diagnostics/interruption.ts';
import type { GrantUse, Occurrence } from '../providers/source/installed-provider.ts';
import { anchorRunDeadline } from './deadlines.ts';
import type { RunContext } from './run-context.ts';

export interface Authorising {
  /** Who is authorised for this run, by a person beside it. */
  readonly names: readonly string[];
  readonly notify: (url: string) => void;
  /** Null: nobody was authorised before. */
  readonly grants: GrantUse | null;
  /** What proves the client of an installation, where it has a secret. */
  readonly credentialsOf: (occurrence: Occurrence) => Promise<Outcome<Credentials>>;
}

export interface Authorised {
  /** With the deadline that runs from now: what people take is not the run's time. */
  readonly context: RunContext;
  /** Called once everything is opened, or will not be. */
  readonly release: () => void;
}

/**
 * Stages 5a and 5b (providers.md §3): no installation that somebody must authorise is used without a grant, and those
 * that are named are authorised one after the other, in the order given.
 */
export async function authoriseProviders(
  occurrences: readonly Occurrence[],
  context: RunContext,
  { names, notify, grants, credentialsOf }: Authorising,
): Promise<Outcome<Authorised>> {
  const protectedOnes = occurrences.filter(({ provider }) => provider.authorization === 'oauth');
  const ungranted = await findUngranted(
    protectedOnes.filter((one) => !names.includes(one.alias)),
    context.trustDomain,
    grants,
  );
  if (ungranted !== null) return ungranted;
  const releases: (() => void)[] = [];
  const release = (): void => {
    for (const one of releases) one();
  };
  for (const name of names) {
    const occurrence = protectedOnes.find(({ alias }) => alias === name);
    const authorisable = occurrence?.provider.authorisable ?? null;
    if (occurrence === undefined || authorisable === null) continue;
    const credentials = await credentialsOf(occurrence);
    if (!credentials.ok) {
      release();
      return credentials;
    }
    const answer = await authorisable.authorise({
      tenant: context.trustDomain,
      owner: { runRef: context.runRef },
      alias: name,
      credentials: credentials.value,
      notify,
      signal: context.signal,
    });
    if (answer.ok) {
      releases.push(answer.release);
      continue;
    }
    release();
    if (context.signal.aborted) return { ok: false, diagnostic: interruption({ providerActivity: true }) };
    return {
      ok: false,
      diagnostic: diagnostic(answer.code, {
        subject: providerSubject(name, 'authorization', null),
        providerActivity: true,
      }),
    };
  }
  const runDeadline =
    names.length === 0
      ? context.runDeadline
      : anchorRunDeadline(context.clock.monotonic(), context.runDeadline.limitMs);
  return { ok: true, value: { context: { ...context, runDeadline }, release } };
}

/** Stage 5a: that somebody has to authorise one of these and nobody did; null where nothing is missing. */
export async function findUngranted(
  occurrences: readonly Occurrence[],
  tenant: string,
  grants: GrantUse | null,
): Promise<Failed | null> {
  for (const { alias, provider } of occurrences.filter((one) => one.provider.authorization === 'oauth')) {
    const found =
      grants === null || provider.authorisable === null
        ? ({ state: 'none' } as const)
        : await provider.authorisable.isGranted({ tenant, grants });
    if (found.state === 'granted') continue;
    const reported = diagnostic(found.state === 'none' ? 'authorization_required' : 'authorization_unavailable', {
      subject: providerSubject(alias, 'authorization', null),
      providerActivity: false,
    });
    const problem = found.state === 'unavailable' ? found.problem : null;
    return failure(reported, problem === null ? {} : { faults: explanationOf({ problem }) });
  }
  return null;
}
