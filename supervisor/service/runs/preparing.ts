import { makeFairSlots } from '../../platform/fairness/fair-places.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { plainFromJson } from '../../../contract/json/plain.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import { sha256Hex } from '../../documents/digest.ts';
import { createDocumentReader, type DocumentReader } from '../../documents/document-reader.ts';
import { loadHost, type LoadedHost } from '../../documents/host/load.ts';
import { SEMANTIC_REVISION } from '../../documents/identity/effective.ts';
import { loadTarget, type Target } from '../../documents/project/load.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import { readDocument, type DocumentName } from '../../documents/target.ts';
import { applicationCache } from '../../application/prepared/application-cache.ts';
import { applicationAsks } from '../../application/prepared/application-asks.ts';
import { applicationEffect } from '../../application/prepared/application-effect.ts';
import { MEMORY_DIRECTORY, memoryReader } from '../../application/prepared/memory-reader.ts';
import { readApplication, type Preparation } from '../../application/prepared/prepared-application.ts';
import { TenantBundles } from '../../application/prepared/tenant-bundles.ts';
import { recordedReader } from '../../application/prepared/recorded-reader.ts';
import { namedHost } from '../../documents/project/named.ts';
import { LOCAL_TENANT, isTenantName, poolTenant } from '../../platform/tenant.ts';
import type { Machine } from '../../application/machine.ts';
import { PreparationError } from './refusals.ts';
import type { ApplicationPins, ApplicationReference, ContractSchema, PreparedApplication } from '../embedding/types.ts';

/** Applications that are compiled at once: more are not ready earlier. */
const BUILDS = { atOnce: 4, waiting: 100_000 } as const;
const SHARE = { weight: 1, atOnce: BUILDS.atOnce, waiting: BUILDS.waiting } as const;

/** The applications of one supervisor. */
export interface Preparer {
  /** Throws TypeError for a name that is none of a tenant. */
  prepare(reference: ApplicationReference): Promise<PreparedApplication>;
  /**
   * One that was prepared for this tenant, else for another: for a run that was accepted of it. Null: it is no longer
   * kept.
   */
  readonly found: (contentDigest: string, tenant: string) => PreparedApplication | null;
  /** Contents of which `found` has one. */
  readonly digests: () => readonly string[];
  /** The provider sessions of an application; null: it is not of this supervisor. */
  readonly preparationOf: (application: PreparedApplication) => Preparation | null;
  readonly counts: () => { readonly applications: number; readonly bytes: number };
}

interface Prepared {
  readonly application: PreparedApplication;
  readonly preparation: Preparation;
}

interface Named {
  readonly target: Target;
  readonly reader: DocumentReader;
  readonly workingDirectory: string;
  readonly host: LoadedHost | null;
  /** What the host document is, by its bytes and its place. */
  readonly hostKey: string;
}

/** What applications are prepared with. */
export interface PreparerOptions {
  readonly machine: Machine;
  readonly sandbox: Sandbox;
  /** Path of the supervisor's own host document; null without one. */
  readonly host: string | null;
}

/** Reads, checks and compiles applications, and keeps them (gateway.md §16). */
export function preparer({ machine, sandbox, host: ownHost }: PreparerOptions): Preparer {
  const cache = applicationCache<Prepared>(({ preparation }) => preparation.bytes);
  const known = new WeakMap<PreparedApplication, Preparation>();
  const builds = makeFairSlots(BUILDS);
  const bundles = new TenantBundles();
  const functions = new WeakMap<object, number>();
  let counted = 0;

  const countOf = (custom: object): number => {
    const count = functions.get(custom) ?? (counted += 1);
    functions.set(custom, count);
    return count;
  };

  async function named(reference: Exclude<ApplicationReference, { kind: 'digest' }>): Promise<Named> {
    const inMemory = reference.kind === 'memory';
    const workingDirectory = inMemory ? MEMORY_DIRECTORY : (reference.workingDirectory ?? process.cwd());
    const onDisk = createDocumentReader(machine.documents, inMemory ? process.cwd() : workingDirectory);
    const reader = recordedReader(inMemory ? memoryReader(reference.files) : onDisk);
    const target = await loadTarget(reader, reference.manifest ?? 'svc.json');
    if (!target.ok) throw new PreparationError(target.diagnostic.code, target.diagnostic);
    // A project in memory has its host document there, too.
    const name = namedHost(target.value, reference.host ?? ownHost);
    const host = await hostOf(recordedReader(name?.kind === 'below' ? reader : onDisk), name);
    return { target: target.value, reader, workingDirectory, ...host };
  }

  async function hostOf(reader: DocumentReader, name: DocumentName | null): Promise<Pick<Named, 'host' | 'hostKey'>> {
    if (name === null) return { host: null, hostKey: '' };
    const host = await loadHost(reader, name);
    if (!host.ok) throw new PreparationError(host.diagnostic.code, host.diagnostic);
    const read = await readDocument(reader, name, MAX_BYTES.host);
    return { host: host.value, hostKey: `${host.value.directory} ${read.ok ? sha256Hex(read.file.bytes) : ''}` };
  }

  async function prepared(
    tenant: string,
    reference: Exclude<ApplicationReference, { kind: 'digest' }>,
  ): Promise<Prepared> {
    const { target, reader, workingDirectory, host, hostKey } = await named(reference);
    const { custom = [], declaredInput = 'read' } = reference;
    const trustDomain = `prepare ${(counted += 1)}`;
    const read = await readApplication({
      reader,
      workingDirectory,
      target,
      host,
      custom,
      sandbox: sandboxOf(tenant),
      store: bundles.storeFor(tenant),
      trustDomain,
      libraries: machine.libraries,
      now: () => machine.clock.monotonic(),
      readsDeclaredInput: declaredInput === 'read',
    });
    if (!read.ok) throw new PreparationError(read.diagnostic.code, read.diagnostic);
    const { contentDigest, inputKey, complete } = read.value;
    const key = JSON.stringify([
      contentDigest,
      SEMANTIC_REVISION,
      inputKey,
      hostKey,
      workingDirectory,
      target,
      custom.map(countOf),
    ]);
    return cache.get({ owner: tenant, key }, async () => {
      const place = await builds.take({ tenant, share: SHARE });
      try {
        if (place.outcome !== 'begins') throw new PreparationError('unavailable');
        const preparation = await complete();
        if (!preparation.ok) throw new PreparationError(preparation.diagnostic.code, preparation.diagnostic);
        const application = describePreparation(preparation.value);
        known.set(application, preparation.value);
        return { application, preparation: preparation.value };
      } finally {
        if (place.outcome === 'begins') place.end();
        // What compiled this application never sees another.
        await sandbox.endDomain({ environment: 'workflow', trustDomain });
      }
    });
  }

  /** In which all that a preparation asks for is the tenant's. */
  const sandboxOf = (tenant: string): Sandbox => ({
    ...sandbox,
    openIsolate: (options) => sandbox.openIsolate({ ...options, tenant: poolTenant(tenant) }),
  });

  const isOf =
    (contentDigest: string) =>
    (key: string): boolean =>
      key.startsWith(JSON.stringify([contentDigest]).slice(0, -1));

  return {
    async prepare(reference) {
      const { tenant = LOCAL_TENANT } = reference;
      if (typeof tenant !== 'string' || !isTenantName(tenant))
        throw new TypeError('tenant is 1 to 128 letters, digits, dots, dashes and underscores');
      if (reference.kind === 'digest') {
        const found = cache.find(tenant, isOf(reference.contentDigest));
        if (found === null) throw new PreparationError('application_unknown');
        return found.application;
      }
      const { application } = await prepared(tenant, reference);
      if (!meets(application, reference.pins)) throw new PreparationError('pin_mismatch');
      return application;
    },
    found: (contentDigest, tenant) =>
      (cache.find(tenant, isOf(contentDigest)) ?? cache.findAny(isOf(contentDigest)))?.application ?? null,
    digests: () => [...new Set(cache.keys().map((key) => String(JSON.parse(key)[0])))],
    preparationOf: (application) => known.get(application) ?? null,
    counts: cache.counts,
  };
}

function meets({ contentDigest, installationDigests }: PreparedApplication, pins: ApplicationPins = {}): boolean {
  if (pins.contentDigest !== undefined && pins.contentDigest !== contentDigest) return false;
  if (pins.installationDigests === undefined) return true;
  const text = (digests: Readonly<Record<string, string>>): string =>
    JSON.stringify(Object.entries(digests).toSorted(([left], [right]) => compareUtf8(left, right)));
  return text(pins.installationDigests) === text(installationDigests);
}

function describePreparation({ application }: Preparation): PreparedApplication {
  const { contentDigest, effectiveDigest, providers, contracts, limits } = application;
  const schemaOf = (contract: { readonly annotated: JsonValue } | null): ContractSchema | null =>
    contract === null ? null : frozen(Object(plainFromJson(contract.annotated)));
  return Object.freeze({
    contentDigest,
    effectiveDigest,
    installationDigests: Object.freeze(Object.fromEntries(providers.configDigests)),
    effect: applicationEffect(application),
    asks: applicationAsks(application),
    contracts: Object.freeze({ input: schemaOf(contracts.input), result: schemaOf(contracts.result) }),
    limits: Object.freeze({ ...limits.values }),
  });
}

/** All the way down: callers share it. */
function frozen<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) frozen(member);
  return Object.freeze(value);
}
