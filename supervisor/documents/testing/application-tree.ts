import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { Outcome } from '../../../contract/outcome.ts';
import type { CompileReply, ExportFact, GuestOutcome } from '../../../contract/sandbox-protocol.ts';
import { NO_BUNDLE_STORE } from '../../application/preflight/bundle-store.ts';
import {
  loadApplication,
  type LoadedApplication,
  type LoadApplicationRequest,
} from '../../application/preflight/application.ts';
import { fakeSandbox } from '../../run/testing/fake-sandbox.ts';
import { createDocumentReader } from '../document-reader.ts';
import { loadHost } from '../host/load.ts';
import { loadTarget } from '../project/load.ts';
import { memoryFileSystem, type MemoryEntry } from './memory-file-system.ts';

/** Plain data of a test; written as JSON. */
export type Plain = Readonly<Record<string, unknown>>;

/** The smallest application that passes every check. */
export const MANIFEST = {
  version: 1,
  workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
  input: { value: { name: 'world' } },
} as const satisfies Plain;

export const SOURCE = '(ns main)\n(defn run [input] input)\n';

/** A public function of one argument. */
export function exportFact(facts: Partial<ExportFact> = {}): ExportFact {
  return {
    ref: 'main/run',
    kind: 'function',
    arities: [1],
    variadic_from: null,
    requirements: [],
    effect: 'unknown',
    visibility: 'prompt',
    doc: null,
    ...facts,
  };
}

export type CompileAnswer = (components: readonly string[]) => GuestOutcome<CompileReply>;

export function compiled(...exports: readonly ExportFact[]): GuestOutcome<CompileReply> {
  return { status: 'replied', reply: { status: 'compiled', code: 'code', exports } };
}

export interface Tree {
  readonly manifest?: unknown;
  readonly host?: unknown;
  readonly files?: Readonly<Record<string, MemoryEntry>>;
  readonly compile?: CompileAnswer;
  /** The working directory; `/desk` by default. */
  readonly directory?: string;
  readonly options?: Partial<LoadApplicationRequest>;
}

/** Loads `/app/svc.json` of a tree in memory with the host `/etc/host.json`, if there is one. */
export async function load(tree: Tree): Promise<LoadedApplication> {
  const files = memoryFileSystem({
    '/app/main.clj': SOURCE,
    '/desk/.keep': '',
    '/app/svc.json': json(tree.manifest ?? MANIFEST),
    ...(tree.host === undefined ? {} : { '/etc/host.json': json(tree.host) }),
    ...tree.files,
  });
  const { directory = '/desk' } = tree;
  const reader = createDocumentReader(files, directory);
  const target = await loadTarget(reader, '/app/svc.json');
  if (!target.ok) return target;
  const host = tree.host === undefined ? null : await loadHost(reader, { kind: 'named', path: '/etc/host.json' });
  if (host !== null && !host.ok) return host;
  return loadApplication({
    reader,
    workingDirectory: directory,
    manifest: target.value.manifest,
    host: host?.value ?? null,
    libraries: new Map(),
    input: null,
    override: null,
    identityFixed: false,
    sandbox: fakeSandbox({
      compile: ({ components }) => (tree.compile ?? (() => compiled(exportFact())))(components.map(({ id }) => id)),
    }),
    store: NO_BUNDLE_STORE,
    trustDomain: 'test',
    inspectionCapture: false,
    now: () => 0,
    ...tree.options,
  });
}

/** A text is taken as it is, so that a test can write what JSON cannot. */
function json(document: unknown): string {
  return typeof document === 'string' ? document : JSON.stringify(document);
}

/** `code path`, and `ok` for none: what most tests compare. */
export function verdict(outcome: Outcome<unknown>): string {
  return outcome.ok ? 'ok' : brief(outcome.diagnostic);
}

export function brief({ code, path }: Diagnostic): string {
  return path === null ? code : `${code} ${JSON.stringify(path)}`;
}
