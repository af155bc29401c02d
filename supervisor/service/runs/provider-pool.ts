import { newRunReference } from '../../../contract/run-reference.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { LONGEST_TIMER_MS } from '../../../contract/limits/longest-timer.ts';
import { randomFillSync } from 'node:crypto';
import { createDocumentReader } from '../../documents/document-reader.ts';
import type { AcquiredProvider, Occurrence } from '../../providers/source/installed-provider.ts';
import type { Preparation } from '../../application/prepared/prepared-application.ts';
import { snapshotIdentity } from '../../providers/provider-snapshot.ts';
import { openProviders, type SharedProviders, type OpenProviders } from '../../run/acquisition.ts';
import { findUngranted } from '../../run/authorisation.ts';
import { checkProvidersLocally } from '../../run/named-documents.ts';
import { openLocalEnvironment } from '../../run/local-environment.ts';
import { openingOptions, type RunSetting } from './run-setting.ts';
import type { AcquisitionAnswer, AcquisitionRequest, OpenedProviders } from '../embedding/types.ts';

/** The sessions behind providers that are shared: whose runs may have them, and for how long. */
export interface ProviderShare extends SharedProviders {
  readonly preparation: Preparation;
  readonly tenant: string;
  readonly principal: string;
  /** Milliseconds of the monotonic clock: what was given to open them is not used later. */
  readonly usableUntil: number;
  /** As it was opened; null: it was not. */
  acquired(occurrence: Occurrence): AcquiredProvider | null;
}

/** The providers that one supervisor opened before any run. */
export interface ProviderPool {
  acquire(
    preparation: Preparation,
    request: Required<Pick<AcquisitionRequest, 'tenant' | 'principal'>> & Pick<AcquisitionRequest, 'signal'>,
  ): Promise<AcquisitionAnswer>;
  /** Its sessions; null: it is not of this supervisor. */
  readonly shareOf: (providers: OpenedProviders) => ProviderShare | null;
  /** Closes what is open still. */
  close(): Promise<void>;
}

const placeOf = ({ destination, index }: Occurrence): string => `${destination}/${index}`;

/** Opens providers that outlive a run (gateway.md §10). */
export function openProviderPool(setting: RunSetting): ProviderPool {
  const shares = new WeakMap<OpenedProviders, ProviderShare>();
  const open = new Set<OpenedProviders>();
  return {
    async acquire(preparation, request) {
      const answer = await openShareable(setting, preparation, request);
      if ('diagnostic' in answer)
        return { kind: 'refused', code: answer.diagnostic.code, diagnostic: answer.diagnostic };
      const { providers, share } = shareOf(setting, answer, { preparation, ...request }, () => {
        open.delete(providers);
      });
      shares.set(providers, share);
      open.add(providers);
      return { kind: 'acquired', providers };
    },
    shareOf: (providers) => shares.get(providers) ?? null,
    close: async () => {
      await Promise.all([...open].map(async (providers) => providers.close()));
    },
  };
}

interface Opening extends OpenProviders {
  readonly usableUntil: number;
  /** Of each that was opened, by `destination/alias`. */
  readonly identities: Readonly<Record<string, string>>;
}

/** Stages 4 to 6 of providers.md §3, for what may be lent. */
async function openShareable(
  setting: RunSetting,
  { application, workingDirectory, target, host }: Preparation,
  {
    tenant,
    principal,
    signal = new AbortController().signal,
  }: AcquisitionRequest & { readonly tenant: string; readonly principal: string },
): Promise<Opening | { readonly diagnostic: Diagnostic }> {
  let usableUntil = Infinity;
  const options = openingOptions(setting, {
    tenant,
    principal,
    workingDirectory,
    onExpiry: (at) => {
      usableUntil = Math.min(usableUntil, at);
    },
  });
  const isShareable = ({ provider, selection }: Occurrence): boolean => provider.isShareable(selection);
  const shareable = [...application.providers.workflow, ...application.providers.mission].filter(isShareable);
  const reader = createDocumentReader(setting.machine.documents, host?.directory ?? '/');
  const variable = await openLocalEnvironment(options, target, application);
  if (!variable.ok) return variable;
  const unfit = await checkProvidersLocally({ ...options, signal }, reader, application, 'run', isShareable);
  if (unfit !== null) return unfit;
  const { grants = null, secret, documents: files, admission = null } = options;
  const ungranted = await findUngranted(shareable, tenant, grants);
  if (ungranted !== null) return ungranted;
  const runRef = newRunReference(randomFillSync);
  const opened = await openProviders(
    application,
    shareable,
    { signal, trustDomain: tenant, runRef, traceId: runRef, missed: () => undefined },
    {
      variable: variable.value,
      files,
      reader,
      admission,
      ...(secret === undefined ? {} : { secret }),
      ...(grants === null ? {} : { grants }),
    },
  );
  if (!opened.ok) return opened;
  const identities = [...opened.value.opened].map(
    ([{ destination, alias }, { snapshot }]) =>
      [`${destination}/${alias}`, `sha256:${snapshotIdentity(snapshot)}`] as const,
  );
  return { ...opened.value, usableUntil, identities: Object.fromEntries(identities) };
}

function shareOf(
  { machine: { clock } }: RunSetting,
  { opened, release, usableUntil, identities }: Opening,
  { preparation, tenant, principal }: Pick<ProviderShare, 'preparation' | 'tenant' | 'principal'>,
  onClose: () => void,
): { readonly providers: OpenedProviders; readonly share: ProviderShare } {
  const found = new Map([...opened].map(([occurrence, acquired]) => [placeOf(occurrence), acquired]));
  const lostPlaces = new Set<string>();
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  for (const [place, { session }] of found) {
    const lose = (): void => {
      lostPlaces.add(place);
      resolve();
    };
    void session?.lost.then(lose, lose);
    void session?.ended?.then(lose, lose);
  }
  const lasts = usableUntil - clock.monotonic();
  const expiry = lasts > LONGEST_TIMER_MS ? undefined : setTimeout(resolve, Math.max(0, lasts)).unref();
  let closing: Promise<boolean> | null = null;
  const close = async (): Promise<boolean> => {
    onClose();
    clearTimeout(expiry);
    return (await release()) === null;
  };
  return {
    providers: { identities: Object.freeze(identities), lost, close: () => (closing ??= close()) },
    share: {
      preparation,
      tenant,
      principal,
      usableUntil,
      has: (occurrence) => found.has(placeOf(occurrence)),
      acquired: (occurrence) => found.get(placeOf(occurrence)) ?? null,
      share(occurrence, run) {
        const place = placeOf(occurrence);
        const acquired = found.get(place);
        if (acquired === undefined) return null;
        if (closing !== null || lostPlaces.has(place) || clock.monotonic() >= usableUntil) return 'lost';
        return acquired.share?.(run) ?? 'lost';
      },
    },
  };
}
