import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { failure, type Outcome } from '../../../contract/outcome.ts';
import type { WrittenLimits } from '../../../contract/limits/effective.ts';
import { LIMITS, type LimitName } from '../../../contract/limits/catalogue.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import type { BundleStore } from '../../application/preflight/bundle-store.ts';
import { loadApplication, type Application } from '../../application/preflight/application.ts';
import { MEMORY_DIRECTORY, memoryReader } from '../../application/prepared/memory-reader.ts';
import type { LibraryRegistry } from '../../documents/components/libraries.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { Installation } from '../../documents/host/fields.ts';
import { loadHost, type LoadedHost } from '../../documents/host/load.ts';
import { loadTarget, type Target } from '../../documents/project/load.ts';
import type { ServedInstallation } from '../../providers/mcp/declaration.ts';
import type { SessionServer } from '../imports/session-server.ts';

/** The mission of a session without a project. */
export const SESSION_MISSION = 'default';

/** An application made in memory: one mission over the servers of a session. */
export interface SessionApplication {
  readonly application: Application;
  readonly target: Target;
  readonly reader: DocumentReader;
}

export interface SessionApplicationOptions {
  /** None, or one: what is wrong with a server is reported of it alone. */
  readonly servers: readonly SessionServer[];
  readonly sandbox: Sandbox;
  readonly libraries: LibraryRegistry;
  readonly store: BundleStore;
  readonly tenant: string;
  readonly now: () => number;
  /** Tools of one server. */
  readonly serverTools: number;
}

/** Milliseconds of a program, and of everything around it (code-mode.md §1). */
const DURATION_MS = 600_000;
const CEILINGS = [
  'mission_capability_calls',
  'mission_capability_calls_per_name',
  'evaluation_memory_bytes',
  'evaluation_history_bytes',
  'normal_event_count',
  'normal_event_bytes',
  'terminal_result_bytes',
] as const satisfies readonly LimitName[];
const TIMES = [
  'run_duration_ms',
  'workflow_timeout_ms',
  'evaluation_timeout_ms',
  'evaluation_admission_timeout_ms',
  'parallel_timeout_ms',
] as const satisfies readonly LimitName[];

export async function loadSessionApplication({
  servers,
  sandbox,
  libraries,
  store,
  tenant,
  now,
  serverTools,
}: SessionApplicationOptions): Promise<Outcome<SessionApplication>> {
  const reader = memoryReader(filesOf(servers));
  const target = await loadTarget(reader, 'manifest.json');
  if (!target.ok) return failure(target.diagnostic);
  const host = await loadHost(reader, { kind: 'named', path: 'host.json' });
  if (!host.ok) return failure(host.diagnostic);
  const application = await loadApplication({
    reader,
    workingDirectory: MEMORY_DIRECTORY,
    manifest: target.value.manifest,
    host: withImports(host.value, serverTools),
    libraries,
    override: null,
    sandbox,
    store,
    trustDomain: tenant,
    now,
    input: null,
    identityFixed: true,
    inspectionCapture: true,
    narrowed: {},
  });
  return application.ok
    ? { ok: true, value: { application: application.value, target: target.value, reader } }
    : failure(application.diagnostic);
}

function filesOf(servers: readonly SessionServer[]): ReadonlyMap<string, Uint8Array> {
  const names = servers.map(({ alias }) => alias);
  const manifest = {
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    missions: { [SESSION_MISSION]: { providers: names } },
    input: { value: {} },
    providers: { mission: names.map((name) => ({ name, config: { allow: ['*'], model_visible: ['*'] } })) },
    limits: SESSION_LIMITS,
  };
  const credentials = new Map<string, JsonValue>(
    servers.flatMap((server) =>
      [...server.credentials].map(([name, value]): [string, JsonValue] => [name, new Map([['literal', value]])]),
    ),
  );
  const host = new Map<string, JsonValue>([
    ['install', new Map(servers.map(({ alias, installation }) => [alias, installation]))],
    ['credentials', credentials],
  ]);
  const encoder = new TextEncoder();
  return new Map([
    ['manifest.json', encoder.encode(JSON.stringify(manifest))],
    ['main.clj', encoder.encode('(ns main)\n(defn run [input] input)\n')],
    ['host.json', encoder.encode(canonicalJson(host))],
  ]);
}

function ceilingOf(name: LimitName): number {
  const ceiling = LIMITS.find((row) => row.name === name)?.ceiling;
  if (ceiling === undefined || ceiling === null) throw new Error(`the limit ${name} has no ceiling`);
  return ceiling;
}

/** Of a session that no project limits, as a manifest writes them (code-mode.md §1). */
export const SESSION_LIMITS: WrittenLimits = Object.fromEntries([
  ...CEILINGS.map((name) => [name, ceilingOf(name)] as const),
  ...TIMES.map((name) => [name, DURATION_MS] as const),
]);

const NAME_LENGTH = 128;

/** No host document says of an installation that it is imported: there a row gives a name. */
function withImports(host: LoadedHost, maxTools: number): LoadedHost {
  const install = new Map(
    [...host.document.install].map(([alias, installation]): [string, Installation] => {
      if (installation.source !== 'mcp') return [alias, installation];
      // Programs call its tools by its name and their own.
      const nameLength = NAME_LENGTH - `${alias}.`.length;
      const imported: ServedInstallation = { ...installation, imported: { maxTools, nameLength } };
      return [alias, imported];
    }),
  );
  return { ...host, document: { ...host.document, install } };
}
