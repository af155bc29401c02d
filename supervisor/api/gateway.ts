import { createDocumentReader } from '../documents/document-reader.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { FileSystem } from '../documents/file-system.ts';
import { loadEnvironmentFile } from '../environment-file/load.ts';
import { openAudit } from '../gateway/audit/audit.ts';
import type { Audit } from '../gateway/audit/audit.ts';
import type { OutcomeCode } from '../gateway/audit/record.ts';
import { plainJson } from '../gateway/http/answers.ts';
import { isBearerToken, keepBearer } from '../gateway/listener/bearer.ts';
import type { KeptBearer } from '../gateway/listener/bearer.ts';
import { authoritiesOf } from '../gateway/listener/checks.ts';
import { listen } from '../gateway/listener/server.ts';
import { countersOf, openLog } from '../gateway/observation/log.ts';
import type { GatewayLog } from '../gateway/observation/log.ts';
import { gatewayMetrics } from '../gateway/observation/metrics.ts';
import { figuresText, serveFigures } from '../observation/figures-listener.ts';
import { META } from '../gateway/protocol/era.ts';
import { openKeyedCalls } from '../gateway/repeated/keyed-calls.ts';
import type { KeyedCalls } from '../gateway/repeated/keyed-calls.ts';
import { SERVED_VERSIONS, answerBody } from '../gateway/methods/methods.ts';
import { refusedStart } from '../gateway/start/codes.ts';
import type { StartCode, Started } from '../gateway/start/codes.ts';
import { loadGatewayDocuments } from '../gateway/start/documents.ts';
import type { GatewayDocuments } from '../gateway/start/documents.ts';
import { acquireFor } from '../gateway/start/providers.ts';
import { checkTool, hasPinnedInstallations, hasPinnedSnapshots, inNameOrder } from '../gateway/start/tools.ts';
import type { CheckedTool, ToolDeclaration } from '../gateway/start/tools.ts';
import type { TemplateFault } from '../gateway/start/template.ts';
import type { CallAudit } from '../gateway/tools/audited-call.ts';
import { catalogueOf, discovery } from '../gateway/tools/catalogue.ts';
import type { Catalogue } from '../gateway/tools/catalogue.ts';
import { keptProviders } from '../gateway/tools/providers.ts';
import { credentialValue } from '../providers/credentials.ts';
import { nodeFileSystem } from '../publication/node-file-system.ts';
import { processOwnerProbe } from '../publication/owner.ts';
import { openSafeDirectory } from '../publication/safe-directory.ts';
import { createSupervisor } from './supervisor/create.ts';
import type { OpenedProviders, Supervisor } from '../embedding/types.ts';

/** What `svc gateway` is asked (gateway.md §1). */
export interface GatewayOptions {
  /** The configuration; relative to the working directory. */
  readonly document: string;
  /** Absolute. */
  readonly workingDirectory: string;
  /** Absolute; holds the built program. */
  readonly programDirectory: string;
  readonly documents: FileSystem;
  /** Relative to the working directory; null without one. */
  readonly environmentFile: string | null;
  /** Of the process: what the environment file does not name. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly servesLegacy: boolean;
  /** Of this program. */
  readonly version: string;
  readonly log: GatewayLog;
  /** Port of a listener for figures on loopback, 0 for any; null for none. */
  readonly metricsPort: number | null;
  /** Told when a tool, or all that may write, cannot be called any more until the next start. */
  readonly onFence: () => void;
  /** Told of exceptions behind a request. */
  readonly reportBug: (error: unknown) => void;
}

export { NO_LOG } from '../gateway/observation/log.ts';
export type { GatewayLog } from '../gateway/observation/log.ts';
export type { StartCode } from '../gateway/start/codes.ts';

/** A fault of the configuration, or of one tool. */
export interface GatewayFault {
  readonly tool: string | null;
  readonly code: StartCode;
  /** Why an application is no template; for the log alone. */
  readonly template?: TemplateFault | undefined;
}

/** A gateway that listens. */
export interface RunningGateway {
  readonly address: string;
  readonly port: number;
  readonly tools: number;
  /** Null: nobody asked for figures. */
  readonly metricsPort: number | null;
  /** Ends it in order: `clean`, every call came to its own end. */
  readonly stop: () => Promise<{ readonly clean: boolean }>;
}

const GRACE_MS = 10_000;
const now = (): number => performance.now();

interface Opened {
  readonly documents: GatewayDocuments;
  readonly reader: DocumentReader;
  readonly supervisor: Supervisor;
  /** Filled at stage 7; a supervisor asks for variables only when a run acquires what needs them. */
  readonly environment: { values: Readonly<Record<string, string | undefined>> };
}

/** Stages 1 and 2, and the supervisor that compiles and runs; `artifacts`: whether their root is left alone, looked at, or written to. */
async function openGateway(options: GatewayOptions, artifacts: 'untouched' | 'checked' | 'written'): Promise<Started<Opened>> {
  const reader = createDocumentReader(options.documents, options.workingDirectory);
  const loaded = await loadGatewayDocuments(reader, options.document);
  if (!loaded.ok) return loaded;
  const { document, artifactRoot } = loaded.value;
  if (artifacts !== 'untouched' && artifactRoot !== null && !(await isSafeDirectory(artifactRoot))) return refusedStart('artifact_root_unavailable');
  const environment = { values: options.variables };
  const { max_concurrent_runs: maxRuns, max_active_provider_calls: maxProviderCalls, max_waiting_provider_calls: maxWaitingCalls } = document.admission;
  const supervisor = await createSupervisor({
    programDirectory: options.programDirectory,
    ...(artifactRoot === null || artifacts !== 'written' ? {} : { artifacts: () => artifactRoot }),
    limits: { maxRuns, maxQueued: 0, maxProviderCalls, maxWaitingCalls },
    // A tenant for each tool: nothing of one is ever in a process of another.
    tenant: () => ({ maxRuns, maxQueued: 0 }),
    variables: () => environment.values,
  });
  return { ok: true, value: { documents: loaded.value, reader, supervisor, environment } };
}

async function isSafeDirectory(path: string): Promise<boolean> {
  const opened = await openSafeDirectory(nodeFileSystem(), path);
  if (opened.ok) await opened.value.directory.close();
  return opened.ok;
}

interface Checked {
  readonly declared: ToolDeclaration;
  readonly checked: CheckedTool;
}

/** Stage 3, all tools in their order; the first that fails is the last that is looked at unless `all`. */
async function checkTools({ documents, reader, supervisor }: Opened, terms: { readonly all: boolean; readonly comparesContent: boolean }): Promise<readonly Checked[]> {
  const found: Checked[] = [];
  for (const [place, declared] of inNameOrder(documents.document.tools).entries()) {
    const checked = await checkTool(declared, place, { documents, reader, supervisor, comparesContent: terms.comparesContent, now });
    found.push({ declared, checked });
    if (!checked.ok && !terms.all) break;
  }
  return found;
}

type Passed = Checked & { readonly checked: CheckedTool & { readonly ok: true } };

const isPassed = (entry: Checked): entry is Passed => entry.checked.ok;
const faultsOf = (found: readonly Checked[]): readonly GatewayFault[] => found.flatMap(({ declared, checked }) => (checked.ok ? [] : [{ tool: declared.name, code: checked.code, template: checked.template }]));
/** To the log, with its cause, which nobody else is told (gateway.md §1). */
const tellFault = ({ log }: GatewayOptions, { tool, code, template }: GatewayFault): void => { log.tell('startup_failed', { tool, code, ...template }); };

const serverMeta = (version: string): string => plainJson({ [META.server]: { name: 'svc', version } });

function catalogue(passed: readonly Passed[], version: string): Catalogue | null {
  return catalogueOf(passed.map(({ checked }) => checked.tool.entry), serverMeta(version));
}

/** `--check`: stages 1 to 4, every fault of every tool; empty: it would start as far as that. */
export async function checkGateway(options: GatewayOptions): Promise<readonly GatewayFault[]> {
  return withGateway(options, 'checked', async (opened) => {
    const found = await checkTools(opened, { all: true, comparesContent: true });
    const faults = faultsOf(found);
    for (const fault of faults) tellFault(options, fault);
    if (faults.length > 0) return faults;
    return catalogue(found.filter(isPassed), options.version) === null ? [{ tool: null, code: 'catalog_too_large' as const }] : [];
  }, (code) => [{ tool: null, code }]);
}

/** The three pins of every tool, by name. */
export type GatewayPins = Readonly<Record<string, {
  readonly expected_application_content_digest: string;
  readonly installation_config_pins: Readonly<Record<string, string>>;
  readonly provider_snapshot_pins: Readonly<Record<string, string>>;
}>>;

/** `--print-pins`: those in the document may be stale; nothing of audit or artifacts is touched. */
export async function gatewayPins(options: GatewayOptions): Promise<{ readonly ok: true; readonly pins: GatewayPins } | { readonly ok: false; readonly fault: GatewayFault }> {
  return withGateway(options, 'untouched', async (opened) => {
    const found = await checkTools(opened, { all: false, comparesContent: false });
    const [fault] = faultsOf(found);
    if (fault !== undefined) {
      tellFault(options, fault);
      return { ok: false, fault } as const;
    }
    if (!(await readEnvironment(options, opened))) return { ok: false, fault: { tool: null, code: 'credential_unavailable' } } as const;
    const acquired = await acquireAll(found.filter(isPassed), opened.supervisor);
    if (!acquired.ok) return acquired;
    return { ok: true, pins: Object.fromEntries(acquired.tools.map(({ declared, checked: { tool }, providers }) => [declared.name, {
      expected_application_content_digest: tool.application.contentDigest,
      installation_config_pins: tool.application.installationDigests,
      provider_snapshot_pins: providers?.identities ?? {},
    }])) } as const;
  }, (code) => ({ ok: false, fault: { tool: null, code } }) as const);
}

async function withGateway<T>(options: GatewayOptions, artifacts: 'untouched' | 'checked', work: (opened: Opened) => Promise<T>, refused: (code: StartCode) => T): Promise<T> {
  const opened = await openGateway(options, artifacts);
  if (!opened.ok) return refused(opened.code);
  try {
    return await work(opened.value);
  } finally {
    await opened.value.supervisor.close();
  }
}

/** All stages of gateway.md §1; what was opened is closed again where one fails. */
export async function startGateway(options: GatewayOptions): Promise<{ readonly ok: true; readonly gateway: RunningGateway } | { readonly ok: false; readonly fault: GatewayFault }> {
  const opened = await openGateway(options, 'written');
  if (!opened.ok) {
    options.log.tell('startup_failed', { tool: null, code: opened.code });
    return { ok: false, fault: { tool: null, code: opened.code } };
  }
  options.log.tell('startup_stage', { stage: 'documents' });
  const started = await begin(options, opened.value);
  if (!started.ok) {
    tellFault(options, started.fault);
    await opened.value.supervisor.close();
  }
  return started;
}

/** Stages 3 to 9. */
async function begin(options: GatewayOptions, opened: Opened): ReturnType<typeof startGateway> {
  const refused = (code: StartCode, tool: string | null = null) => ({ ok: false, fault: { tool, code } }) as const;
  const found = await checkTools(opened, { all: false, comparesContent: true });
  const [fault] = faultsOf(found);
  if (fault !== undefined) return { ok: false, fault };
  const passed = found.filter(isPassed);
  const list = catalogue(passed, options.version);
  if (list === null) return refused('catalog_too_large');
  options.log.tell('startup_stage', { stage: 'tools' });
  const audit = await auditOf(opened.documents, options);
  if (audit === 'unavailable') return refused('audit_unavailable');
  for (const { run_ref: run, tool_name: tool } of audit?.unended ?? []) options.log.tell('unended_call', { run, tool });
  const keyed = await openKeyedCalls({ directory: audit?.directory ?? null, now: Date.now, onFence: options.onFence });
  const started = keyed === null ? refused('audit_unavailable') : await beginAudited(options, opened, { passed, list, audit, keyed });
  if (!started.ok) {
    await keyed?.close();
    await audit?.close();
  }
  return started;
}

/** Stage 5; null: no tool may write. */
async function auditOf({ document: { private_audit: bounds, authentication }, pathOf }: GatewayDocuments, { onFence }: Pick<GatewayOptions, 'onFence'>): Promise<(Audit & CallAudit) | 'unavailable' | null> {
  if (bounds === undefined) return null;
  const timestamp = (): string => new Date().toISOString();
  const audit = await openAudit({
    fileSystem: nodeFileSystem(), owners: processOwnerProbe(), directory: pathOf(bounds.directory),
    maxFileBytes: bounds.max_file_bytes, maxRetainedFiles: bounds.max_retained_files, now: timestamp, onFence,
  });
  return audit === null ? 'unavailable' : { ...audit, timestamp, principal: authentication.bearer.binding };
}

/** Stages 7 to 9. */
async function beginAudited(options: GatewayOptions, opened: Opened, { passed, ...started }: { readonly passed: readonly Passed[] } & Pick<Served, 'list' | 'audit' | 'keyed'>): ReturnType<typeof startGateway> {
  const refused = (code: StartCode, tool: string | null = null) => ({ ok: false, fault: { tool, code } }) as const;
  const bearer = (await readEnvironment(options, opened)) ? await captureBearer(options, opened) : null;
  if (bearer === null) return refused('credential_unavailable');
  const otherInstallation = passed.find(({ declared, checked }) => !hasPinnedInstallations(declared, checked));
  if (otherInstallation !== undefined) return refused('installation_pin_mismatch', otherInstallation.declared.name);
  const acquired = await acquireAll(passed, opened.supervisor);
  if (!acquired.ok) return acquired;
  options.log.tell('startup_stage', { stage: 'providers' });
  const other = acquired.tools.find(({ declared, providers }) => !hasPinnedSnapshots(declared, providers?.identities ?? {}));
  if (other !== undefined) return refused('provider_pin_mismatch', other.declared.name);
  return serve(options, opened, { ...started, tools: acquired.tools, bearer });
}

interface Acquired extends Passed {
  readonly providers: OpenedProviders | null;
}

/** Stage 8, all tools together; of several failures the one of the lowest name is told. What was opened is closed with the supervisor. */
async function acquireAll(passed: readonly Passed[], supervisor: Supervisor): Promise<{ readonly ok: true; readonly tools: readonly Acquired[] } | { readonly ok: false; readonly fault: GatewayFault }> {
  const ends = await Promise.all(passed.map(async (tool) => ({ tool, end: await acquireFor(tool.checked, supervisor) })));
  const tools: Acquired[] = [];
  for (const { tool, end } of ends) {
    if (!end.ok) return { ok: false, fault: { tool: tool.declared.name, code: end.code } };
    tools.push({ ...tool, providers: end.providers });
  }
  return { ok: true, tools };
}

/** Stage 7: the environment file, read once into a map that no other process sees; false where it cannot be read. */
async function readEnvironment(options: GatewayOptions, { environment }: Opened): Promise<boolean> {
  if (options.environmentFile === null) return true;
  const assigned = await loadEnvironmentFile(options.documents, options.workingDirectory, { kind: 'named', path: options.environmentFile });
  if (!assigned.ok) return false;
  environment.values = { ...options.variables, ...Object.fromEntries(assigned.value) };
  return true;
}

async function captureBearer(options: GatewayOptions, { documents, environment }: Opened): Promise<KeptBearer | null> {
  const token = await credentialValue(documents.bearer, documents.host.directory, { files: options.documents, variable: (name) => environment.values[name] });
  return token !== null && isBearerToken(token) ? keepBearer(token) : null;
}

interface Served {
  readonly tools: readonly Acquired[];
  readonly list: Catalogue;
  readonly bearer: KeptBearer;
  readonly audit: (Audit & CallAudit) | null;
  readonly keyed: KeyedCalls;
}

/** Stage 9. */
async function serve(options: GatewayOptions, { documents: { document }, supervisor }: Opened, { tools: acquired, list, bearer, audit, keyed }: Served): ReturnType<typeof startGateway> {
  const { listen: { address, port, allowed_origins: origins }, admission, artifacts } = document;
  let isDraining = false;
  let inflight = (): number => 0;
  const metrics = options.metricsPort === null ? null : gatewayMetrics(() => {
    const { runs, providerCalls, memory } = supervisor.snapshot();
    return { inflight: inflight(), runs: runs.running, providerCalls, residentBytes: memory.residentBytes };
  });
  const counts = countersOf(options.log);
  const reportBug = (error: unknown): void => {
    options.log.tell('fault', { error: error instanceof Error ? error.name : typeof error });
    options.reportBug(error);
  };
  const server = serverMeta(options.version);
  const tools = new Map(acquired.map(({ declared, checked: { tool }, providers }) => [declared.name, { ...tool, providers: keptProviders(providers, {
    acquire: async () => supervisor.acquire(tool.application, { tenant: tool.tenant }),
    isPinned: (identities) => hasPinnedSnapshots(declared, identities),
    onChange: (state) => {
      options.log.tell('readiness', { tool: declared.name, state });
      metrics?.readiness(declared.name, state);
      if (state === 'fenced') options.onFence();
    },
  }) }] as const));
  const isFenced = (): boolean => audit?.isFenced() === true || [...tools.values()].some(({ providers }) => providers.isFenced());
  const services = {
    supervisor,
    tools,
    keyed,
    audit: audit === null || metrics === null ? audit : { ...audit, append: async (line: Uint8Array) => timed(async () => audit.append(line), (seconds) => { metrics.audited(seconds); }) },
    onRun: (tool: string, outcome: OutcomeCode, durationMs: number) => { metrics?.ran(tool, outcome, durationMs / 1000); },
    isDraining: () => isDraining,
    artifacts: artifacts === undefined ? null : { trace: artifacts.trace, inspection: artifacts.inspection },
    server,
    now,
    reportBug,
    catalogue: list,
    discovery: discovery(SERVED_VERSIONS, server),
    serverInfo: { name: 'svc', version: options.version },
    servesLegacy: options.servesLegacy,
  };
  const listener = await listen({
    address, port,
    gate: { authorities: authoritiesOf(address, port), origins: new Set(origins), bearer },
    maxInflight: admission.max_inflight_requests,
    parameterHeaders: [...new Set([...tools.values()].flatMap(({ entry }) => entry.headers.map(({ header }) => header)))],
    answer: async (post) => answerBody(post, services),
    state: () => (isDraining ? 'draining' : isFenced() ? 'fenced' : 'ready'),
    onAnswer: (status) => {
      counts.answered(status);
      metrics?.answered(status);
    },
    reportBug,
  });
  const figures = metrics === null || options.metricsPort === null || listener === null ? null : await serveFigures(options.metricsPort, { '/metrics': async () => figuresText(await metrics.text()) });
  if (listener === null || (metrics !== null && figures === null)) {
    listener?.stopListening();
    await listener?.close();
    return { ok: false, fault: { tool: null, code: 'listener_unavailable' } };
  }
  inflight = () => listener.inflight();
  options.log.tell('ready', { tools: tools.size });
  return { ok: true, gateway: {
    address, port, tools: tools.size, metricsPort: figures?.port ?? null,
    stop: async () => {
      options.log.tell('startup_stage', { stage: 'draining' });
      isDraining = true;
      listener.stopListening();
      const { clean } = await supervisor.drain({ graceMs: GRACE_MS });
      await listener.close();
      const closed = await Promise.all([...tools.values()].map(async ({ providers }) => providers.close()));
      await supervisor.close();
      await keyed.close();
      const isWritten = (await audit?.close()) ?? true;
      await figures?.close();
      counts.stop();
      options.log.tell('stopped', { clean });
      return { clean: clean && isWritten && !closed.includes(false) };
    },
  } };
}

/** A log for a gateway; null where the file is not its owner's alone, or cannot be opened. */
export async function openGatewayLog(path: string): Promise<GatewayLog | null> {
  return openLog(path, () => new Date().toISOString());
}

async function timed<T>(work: () => Promise<T>, told: (seconds: number) => void): Promise<T> {
  const begunAt = now();
  const done = await work();
  told((now() - begunAt) / 1000);
  return done;
}
