import type { Outcome } from '../../contract/outcome.ts';
import { diagnostic, providerSubject, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
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
  { names, notify, grants }: Authorising,
): Promise<Outcome<Authorised>> {
  const protectedOnes = occurrences.filter(({ provider }) => provider.authorization === 'oauth');
  const ungranted = await withdrawGrant(
    protectedOnes.filter((one) => !names.includes(one.alias)),
    context.trustDomain,
    grants,
  );
  if (ungranted !== null) return { ok: false, diagnostic: ungranted };
  const held: (() => void)[] = [];
  const release = (): void => {
    for (const one of held) one();
  };
  for (const name of names) {
    const authorisable = protectedOnes.find(({ alias }) => alias === name)?.provider.authorisable ?? null;
    const answer =
      authorisable === null
        ? null
        : await authorisable.authorise({
            tenant: context.trustDomain,
            runRef: context.runRef,
            notify,
            signal: context.signal,
          });
    if (answer?.ok === true) held.push(answer.release);
    if (answer === null || answer.ok) continue;
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
export async function withdrawGrant(
  occurrences: readonly Occurrence[],
  tenant: string,
  grants: GrantUse | null,
): Promise<Diagnostic | null> {
  for (const { alias, provider } of occurrences.filter((one) => one.provider.authorization === 'oauth')) {
    const state =
      grants === null || provider.authorisable === null
        ? 'none'
        : await provider.authorisable.isGranted({ tenant, grants });
    if (state !== 'granted')
      return diagnostic(state === 'none' ? 'authorization_required' : 'authorization_unavailable', {
        subject: providerSubject(alias, 'authorization', null),
        providerActivity: false,
      });
  }
  return null;
}
