import type { ApiDeclaration, ApiWorkers } from '../../../adapters/pool/apis.ts';
import { EVERY_TOOL } from '../../../contract/tool-mapping.ts';
import type { HostDocument, InstallationOf } from '../../documents/host/fields.ts';
import { acquireThrough, makeAcquisitionRequest } from '../acquire-through.ts';
import { parsedText } from '../adapter-json.ts';
import { readHostFile } from '../host-file.ts';
import { authorisable, inStore } from '../mcp/authorisable.ts';
import { httpOf, ownedOAuth, plainApi } from '../mcp/declaration.ts';
import { serverThreads } from '../mcp/server-threads.ts';
import { toolMapping } from '../mcp/tool-rows.ts';
import { checkWay, networkOf } from '../network.ts';
import { releasing } from '../releasing.ts';
import type { AcquisitionTools, InstalledProvider, LocalCheck, Occurrence } from '../source/installed-provider.ts';
import type { NormalisedSelection } from '../source/selection.ts';
import { tenantThreads } from '../tenant-threads.ts';
import { operationRows } from './operation-rows.ts';

type Installation = InstallationOf<'openapi'>;
type Serving = Pick<InstalledProvider, 'localCheck' | 'acquire' | 'catalogue' | 'authorisable'>;

/** The workers in which documents and answers of a tenant's APIs are read. */
const apiWorkersOf = tenantThreads<ApiWorkers>(async () =>
  (await import('../../../adapters/pool/apis.ts')).apiWorkers(),
);

/** What a command does with an API: looks at its document where that is a file, and opens it (providers.md §7.9). */
export function apiServing(installation: Installation, host: HostDocument | null): Serving {
  const { oauth, endpoint } = installation;
  return {
    localCheck: checkLocally(installation, host),
    acquire: (occurrence, tools) => acquireApi(installation, host, occurrence, tools),
    catalogue: (occurrence, tools) => listCatalogue(installation, host, occurrence, tools),
    authorisable: oauth === undefined ? null : authorisable((owner) => plainApi(ownedOAuth(oauth, endpoint, owner))),
  };
}

/** Null where there is neither a file of certificates nor one of the document. */
function checkLocally(installation: Installation, host: HostDocument | null): LocalCheck | null {
  const way = checkWay(host);
  const file = 'path' in installation.document ? checkFile(installation) : null;
  if (way === null) return file === null ? null : { reads: 'declaration', run: file };
  return {
    reads: 'environment',
    run: async (tools) => {
      const found = await way(tools);
      return found === 'passed' && file !== null ? file(tools) : found;
    },
  };
}

/**
 * The document is read by each occurrence, whose selection says what is wanted of it; which one is checked is not known
 * here, so that what the installation maps is looked at.
 */
function checkFile(installation: Installation): LocalCheck['run'] {
  return async ({ reader, hostDirectory, tenant, budget, signal }) => {
    const { checkDocument, DOCUMENT_BYTES } = await import('../../../adapters/pool/apis.ts');
    const { document } = installation;
    if (!('path' in document)) return 'passed';
    const read = await readHostFile(reader, hostDirectory, document.path, DOCUMENT_BYTES);
    if (!read.ok)
      return { code: 'environment_unavailable', hint: 'the OpenAPI document is not a file that can be read' };
    const { finding, processorMs } = await apiWorkersOf.use(tenant, (workers) =>
      checkDocument(workers, declarationOf(installation, everythingOf(installation), null), read.file.bytes, signal),
    );
    budget.spend(processorMs);
    return finding ?? 'passed';
  };
}

/** All that an installation maps, of which a selection is a part. */
function everythingOf(installation: Installation): NormalisedSelection {
  const { rows, every } = operationRows(installation);
  return { allow: [...rows.map(({ as }) => as), ...(every === null ? [] : [EVERY_TOOL])] };
}

/** Of what the declaration says without its document. */
function declarationOf(
  installation: Installation,
  selection: NormalisedSelection,
  tools: Pick<AcquisitionTools, 'tenant' | 'grants' | 'runRef'> | null,
): Omit<ApiDeclaration, 'document'> {
  const { ceilings, document } = installation;
  const owner = tools === null ? NOBODY : { tenant: tools.tenant, principal: tools.grants?.principal ?? tools.runRef };
  const { endpoint, auth, oauth } = httpOf(installation, owner);
  const bound = (field: 'timeout_ms' | 'max_result_bytes'): number => {
    const value = selection[field];
    return typeof value === 'number' ? value : ceilings[field];
  };
  return {
    endpoint,
    auth,
    oauth: oauth === null ? null : plainApi(oauth),
    digest: document.digest ?? null,
    tools: toolMapping(operationRows(installation), selection),
    maxOperations: ceilings.max_operations,
    timeoutMs: bound('timeout_ms'),
    maxResultBytes: bound('max_result_bytes'),
  };
}

const NOBODY = { tenant: '', principal: '' } as const;

/** Of a document that is not there. */
const UNREADABLE = { ok: false, refusal: { code: 'environment_unavailable', tool: null, hasActivity: false } } as const;

async function withDocument(
  installation: Installation,
  declared: Omit<ApiDeclaration, 'document'>,
  { reader, hostDirectory }: Pick<AcquisitionTools, 'reader' | 'hostDirectory'>,
): Promise<ApiDeclaration | null> {
  const { document } = installation;
  if ('url' in document) return { ...declared, document: { kind: 'url', url: document.url } };
  if (hostDirectory === null) return null;
  const { DOCUMENT_BYTES } = await import('../../../adapters/pool/apis.ts');
  const read = await readHostFile(reader, hostDirectory, document.path, DOCUMENT_BYTES);
  return read.ok ? { ...declared, document: { kind: 'file', bytes: read.file.bytes } } : null;
}

async function acquireApi(
  installation: Installation,
  host: HostDocument | null,
  occurrence: Occurrence,
  tools: AcquisitionTools,
): ReturnType<NonNullable<Serving['acquire']>> {
  const [{ apiAdapter }, { toolChecks }] = await Promise.all([
    import('../../../adapters/pool/apis.ts'),
    import('../mcp/tool-checks.ts'),
  ]);
  const declared = await withDocument(installation, declarationOf(installation, occurrence.selection, tools), tools);
  if (declared === null) return UNREADABLE;
  const servers = await serverThreads.take(tools.tenant);
  const workers = await apiWorkersOf.take(tools.tenant);
  const { oauth } = declared;
  const declaration = {
    ...declared,
    oauth: oauth === null ? null : inStore(oauth, servers.threads, tools.grants),
  };
  const adapter = apiAdapter({ network: () => servers.threads.network(), workers: workers.threads });
  const checks = toolChecks(tools.tenant);
  return acquireThrough(occurrence, tools, {
    adapter: releasing(adapter, () => {
      servers.release();
      workers.release();
    }),
    declaration,
    network: await networkOf(host, tools),
    // What an API answers is often not quite what its document says: it is shown, and not held to it.
    checksOf: ({ inputSchema }) => checks({ inputSchema, outputSchema: null }),
  });
}

/** Levels of a schema that the adapter made. */
const SCHEMA_DEPTH = 64;

async function listCatalogue(
  installation: Installation,
  host: HostDocument | null,
  occurrence: Occurrence,
  tools: AcquisitionTools,
): ReturnType<NonNullable<Serving['catalogue']>> {
  const { listOperations } = await import('../../../adapters/pool/apis.ts');
  const declaration = await withDocument(
    installation,
    declarationOf(installation, everythingOf(installation), tools),
    tools,
  );
  if (declaration === null) return UNREADABLE;
  const network = await networkOf(host, tools);
  const listed = await serverThreads.use(tools.tenant, (servers) =>
    apiWorkersOf.use(tools.tenant, (workers) => {
      const request = makeAcquisitionRequest(occurrence, tools, declaration);
      // No evaluation bounds it.
      const limits = { ...request.limits, evaluationTimeoutMs: installation.ceilings.timeout_ms };
      return listOperations(
        { network: () => servers.network(), workers },
        { ...request, limits },
        { signal: tools.signal, network },
      );
    }),
  );
  if (!listed.ok) return listed;
  const listing = listed.operations.map(({ upstream, description, unusable, effect, inputSchema, outputSchema }) => ({
    name: Array.from(upstream).slice(0, 128).join(''),
    description: unusable === null ? description : `cannot be called: ${unusable}\n\n${description}`,
    isCallable: unusable === null,
    isReadOnly: effect === 'read',
    inputSchema: parsedText(inputSchema, SCHEMA_DEPTH) ?? null,
    outputSchema: outputSchema === null ? null : (parsedText(outputSchema, SCHEMA_DEPTH) ?? null),
  }));
  return { ok: true, catalogue: { tools: listing, pages: 1, isReleased: true } };
}
