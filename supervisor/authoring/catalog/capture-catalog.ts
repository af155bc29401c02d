import { NO_ADVICE, type Advice } from '../../../contract/outcome.ts';
import { diagnostic, providerSubject, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../../contract/diagnostics/interruption.ts';
import { commandFailure, commandSuccess } from '../../../contract/envelope/build.ts';
import type { CatalogResult } from '../../../contract/envelope/results.ts';
import type { CommandFailure, CommandSuccess } from '../../../contract/envelope/types.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import { effectiveLimits } from '../../../contract/limits/effective.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import { createDocumentReader, type DocumentReader } from '../../documents/document-reader.ts';
import type { LoadedHost } from '../../documents/host/load.ts';
import { configDigest } from '../../documents/identity/installation.ts';
import { loadEnvironmentFile } from '../../documents/environment-file/load.ts';
import { systemCheckClocks } from '../../application/preflight/check-budget.ts';
import { checkLocally } from '../../application/preflight/local-checks.ts';
import { prepareLocalEnvironment } from '../../application/preflight/local-environment.ts';
import type {
  AcquisitionTools,
  GrantUse,
  Occurrence,
  ToolCatalogue,
} from '../../providers/source/installed-provider.ts';
import { acquisitionDiagnostic, wordsOfRefusal } from '../../providers/acquisition-refusal.ts';
import { suggestedMapping } from '../../providers/mcp/suggested-mapping.ts';
import { resolveCredentials } from '../../providers/credentials.ts';
import { findUngranted } from '../../run/authorisation.ts';
import { findInstallation } from '../../run/named-installation.ts';
import { ownVariable, type DocumentOptions } from '../../run/named-documents.ts';
import { loadNamedHost } from '../../documents/project/named.ts';
import type { LocalEnvironmentOptions } from '../../run/local-environment.ts';

/** What `svc catalog` is asked (cli.md §1). */
export interface CatalogOptions
  extends
    Pick<DocumentOptions, 'workingDirectory' | 'documents' | 'variables' | 'trustDomain' | 'signal'>,
    Pick<LocalEnvironmentOptions, 'environmentFile'> {
  readonly runRef: RunReference;
  /** Alias of the installation. */
  readonly provider: string;
  readonly hostConfig: string;
  /** What this user granted; absent: nothing. */
  readonly grants?: GrantUse;
}

/** What a server offers: always an envelope, also where a step threw. */
export interface CatalogReport {
  readonly envelope: CommandSuccess<'catalog'> | CommandFailure<'catalog'>;
  readonly advice: Advice;
  /**
   * `sha256:` digest of the installation, as a gateway file pins it (documents.md §10); null where there is no
   * installation.
   */
  readonly configPin: string | null;
  /** `tools` of an installation that would map all of them, to paste (world.md §2.3); null where nothing was listed. */
  readonly mapping: JsonObject | null;
  /** What a step threw, for a log; null unless there is a bug. */
  readonly unexpected: unknown;
}

/**
 * Everything that one installed server of tools offers, mapped or not (providers.md §13). Calls no tool and never
 * throws.
 */
export async function listCatalog(options: CatalogOptions): Promise<CatalogReport> {
  try {
    return await listTools(options);
  } catch (error) {
    return { ...failed(options, diagnostic('internal_error', { cause: 'unexpected_exception' })), unexpected: error };
  }
}

async function listTools(options: CatalogOptions): Promise<CatalogReport> {
  const { documents, workingDirectory, hostConfig, provider: alias } = options;
  const reader = createDocumentReader(documents, workingDirectory);
  const host = await loadNamedHost({ hostConfig, workingDirectory }, reader, null);
  if (!host.ok) return failed(options, host.diagnostic, host.advice);
  if (host.value === null) return failed(options, diagnostic('host_unavailable'));
  const found = findInstallation(host.value, alias);
  if (!found.ok) return failed(options, found.diagnostic, found.advice);
  const occurrence = found.value;
  const { provider } = occurrence;
  if (provider.catalogue === null)
    return failed(
      options,
      diagnostic('selection_invalid', { subject: providerSubject(alias, 'selection', placeOf(occurrence)) }),
      { ...NO_ADVICE, hint: `${alias} has no tools to list: its source is ${provider.source}` },
    );
  // Nobody is asked here: it looks for what `svc auth login` kept (world.md §2.5).
  const ungranted = await findUngranted([occurrence], options.trustDomain, options.grants ?? null);
  if (ungranted !== null) return failed(options, ungranted.diagnostic, ungranted.advice);
  const report = await openServer(options, { reader, host: host.value, occurrence });
  return { ...report, configPin: configDigest(provider.identity()) };
}

function placeOf({ destination, index }: Occurrence): Pick<Occurrence, 'destination' | 'index'> {
  return { destination, index };
}

interface Named {
  readonly reader: DocumentReader;
  readonly host: LoadedHost;
  readonly occurrence: Occurrence;
}

/** Stages 3 to 8 of providers.md §3, for one occurrence. */
async function openServer(options: CatalogOptions, { reader, host, occurrence }: Named): Promise<CatalogReport> {
  const { documents, environmentFile: file, workingDirectory, trustDomain, signal, runRef } = options;
  const { alias, provider } = occurrence;
  const limits = effectiveLimits({}, host.document.limits);
  if (!limits.ok) throw new Error('a loaded host document has limits that hold');
  const assigned = await prepareLocalEnvironment({
    occurrences: [occurrence],
    host: host.document,
    file: file === null ? null : () => loadEnvironmentFile(documents, workingDirectory, { kind: 'named', path: file }),
    authorize: [],
  });
  if (!assigned.ok) return failed(options, assigned.diagnostic, assigned.advice);
  const own = ownVariable(options.variables);
  const variable: AcquisitionTools['variable'] = (name) =>
    assigned.value.has(name) ? assigned.value.get(name) : own(name);
  const unfit = await checkLocally({
    reader,
    hostDirectory: host.directory,
    occurrences: [occurrence],
    timeoutMs: limits.values.local_preflight_timeout_ms,
    limits: limits.values,
    tenant: trustDomain,
    admission: null,
    clocks: systemCheckClocks,
    stop: signal,
    variable: own,
    declarationsAlone: false,
  });
  if (unfit !== null) return failed(options, unfit.diagnostic, unfit.advice);
  if (provider.catalogue === null)
    return failed(
      options,
      diagnostic('adapter_unavailable', { subject: providerSubject(alias, 'local', placeOf(occurrence)) }),
    );
  const credentials = await resolveCredentials({
    occurrences: [occurrence],
    host,
    sources: { variable, files: documents },
  });
  if (!credentials.ok) return failed(options, credentials.diagnostic);
  const answer = await provider.catalogue(occurrence, {
    credentials: credentials.value.of(provider),
    limits: limits.values,
    tenant: trustDomain,
    admission: null,
    grants: options.grants ?? null,
    runRef,
    traceId: runRef,
    signal,
    reader,
    hostDirectory: host.directory,
    variable,
    missed: () => undefined,
    required: [],
  });
  if (signal.aborted) return failed(options, interruption({ providerActivity: true }));
  if (!answer.ok) {
    const words = wordsOfRefusal(occurrence, answer.refusal, credentials.value.of(provider).values());
    return failed(options, acquisitionDiagnostic(occurrence, answer.refusal, false), { ...NO_ADVICE, provider: words });
  }
  if (!answer.catalogue.isReleased) return failed(options, diagnostic('provider_cleanup_failed'));
  return {
    ...NOTHING_BESIDE,
    mapping: suggestedMapping(answer.catalogue.tools),
    envelope: commandSuccess('catalog', runRef, resultOf(alias, answer.catalogue)),
  };
}

function resultOf(provider: string, { tools, pages }: ToolCatalogue): CatalogResult {
  return {
    provider,
    tool_count: tools.length,
    tools: tools.map(({ name, description, inputSchema, outputSchema }) => ({
      name,
      ...(description === null ? {} : { description }),
      input_schema: inputSchema,
      ...(outputSchema === null ? {} : { output_schema: outputSchema }),
    })),
    pagination: { pages, truncated: false },
  };
}

const NOTHING_BESIDE = { advice: NO_ADVICE, configPin: null, mapping: null, unexpected: null } as const;

function failed({ runRef }: CatalogOptions, error: Diagnostic, advice: Advice = NO_ADVICE): CatalogReport {
  return { ...NOTHING_BESIDE, envelope: commandFailure('catalog', runRef, error), advice };
}
