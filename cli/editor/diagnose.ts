import { randomFillSync } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { ExplainedFault } from '../../contract/diagnostics/explanation.ts';
import { parsePointer } from '../../contract/json/pointer.ts';
import type { Advice } from '../../contract/outcome.ts';
import { newRunReference } from '../../contract/run-reference.ts';
import type { ComponentSource } from '../../contract/sandbox-protocol.ts';
import { BundleChecker } from '../../sandbox/language/components/check-bundle.ts';
import { LOCAL_TENANT, type thisMachine } from '../../supervisor/api/machine.ts';
import { validateApplication } from '../../supervisor/api/authoring.ts';
import { createDocumentReader } from '../../supervisor/documents/document-reader.ts';
import { extentOf } from '../../supervisor/documents/explain/position.ts';
import { loadGateway } from '../../supervisor/documents/gateway/load.ts';
import { parseDocument } from '../../supervisor/documents/json-document.ts';
import { MAX_BYTES } from '../../supervisor/documents/sizes.ts';
import { loadNamedHost } from '../../supervisor/documents/project/named.ts';
import type { DocumentKind } from './document-kind.ts';
import { OverlayFiles } from './overlay-files.ts';
import { staticSandbox } from './static-sandbox.ts';

/** What is wrong at a place of a file. */
export interface Finding {
  /** Absolute. */
  readonly path: string;
  /** From 1; the column in code points. */
  readonly line: number;
  readonly column: number;
  /** Code points that are meant, on that line. */
  readonly length: number;
  readonly message: string;
  /** As in the envelope of `svc validate`; null of further faults, which have none there. */
  readonly code: string | null;
}

/** The result of checking a document with all that it names. */
export interface CheckedDocument {
  readonly findings: readonly Finding[];
  /** Files that it reads or seeks, by path; a change of one may change the findings. */
  readonly requested: ReadonlySet<string>;
  readonly read: ReadonlyMap<string, Uint8Array>;
  /** The sets of components that it compiles. */
  readonly sets: readonly (readonly ComponentSource[])[];
}

/** Checks documents as `svc validate` does, and reads nothing else: no environment, no credential. Runs nothing. */
export class Diagnoser {
  readonly #machine: ReturnType<typeof thisMachine>;
  readonly #checker = new BundleChecker();

  constructor(machine: ReturnType<typeof thisMachine>) {
    this.#machine = machine;
  }

  /** `texts`: those of the editor, by path; `path` is absolute and free of links. */
  async check(
    path: string,
    kind: DocumentKind,
    texts: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<CheckedDocument> {
    const files = new OverlayFiles(this.#machine.documents, texts);
    const sets: (readonly ComponentSource[])[] = [];
    const findings = await this.#findings({ path, kind, files, signal, onSet: (set) => void sets.push(set) });
    return { findings, requested: files.requested, read: files.read, sets };
  }

  /** A component that belongs to no application that is known: what it names of others is not looked at. */
  checkAlone(path: string, text: string): readonly Finding[] {
    const libraries = [...this.#machine.libraries.values()].map(({ id, source, dependencies }) => ({
      id,
      source: Buffer.from(source).toString(),
      dependencies,
    }));
    const dependencies = libraries.map(({ id }) => id).toSorted();
    const reply = this.#checker.check({ components: [...libraries, { id: 'this', source: text, dependencies }] });
    if (reply.status !== 'refused') return [];
    const bytes = Buffer.from(text);
    return (reply.faults ?? [reply.fault])
      .filter(({ component, reason }) => component === 'this' && reason !== 'unknown_namespace')
      .map(({ message, span }) => {
        const [start, end] = [span?.start_byte ?? 0, span?.end_byte ?? 0];
        const before = bytes.subarray(0, start).toString();
        const line = before.split('\n').length;
        const target = bytes.subarray(start, end).toString().split('\n')[0] ?? '';
        const column = Array.from(before.slice(before.lastIndexOf('\n') + 1)).length + 1;
        return { path, line, column, length: Array.from(target).length, message, code: null };
      });
  }

  async #findings(request: CheckRequest): Promise<readonly Finding[]> {
    const { path, kind, files } = request;
    const directory = dirname(path);
    if (kind === 'host') {
      const reader = createDocumentReader(files, directory);
      const loaded = await loadNamedHost({ hostConfig: path, workingDirectory: directory }, reader, null);
      return loaded.ok ? [] : findingsOf(path, loaded.diagnostic, loaded.advice ?? null);
    }
    if (kind === 'gateway') return gatewayFindings(path, files);
    if (kind !== 'manifest' && kind !== 'project') return [];
    const { envelope, advice, unexpected } = await validateApplication({
      ...this.#machine,
      documents: files,
      runRef: newRunReference(randomFillSync),
      workingDirectory: directory,
      document: basename(path),
      hostConfig: null,
      override: null,
      trustDomain: LOCAL_TENANT,
      sandbox: async () => Promise.resolve(staticSandbox(this.#checker, request.onSet)),
      variables: {},
      signal: request.signal,
    });
    if (unexpected !== null) throw unexpected;
    return envelope.status === 'ok' ? [] : findingsOf(path, envelope.error, advice);
  }
}

interface CheckRequest {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly files: OverlayFiles;
  readonly signal: AbortSignal;
  readonly onSet: (components: readonly ComponentSource[]) => void;
}

/** The fault of an envelope and what `svc validate` says beside it, each at its place. */
function findingsOf(document: string, { code, message }: Diagnostic, advice: Advice | null): readonly Finding[] {
  const faults = advice?.faults?.faults ?? [];
  const [first, ...others] = faults;
  const hint = first?.remedy ?? advice?.hint ?? null;
  return [
    { ...placeOf(document, first), message: sentences([message, first?.problem ?? null, hint]), code },
    ...others.map((fault) => ({
      ...placeOf(document, fault),
      message: sentences([fault.problem ?? 'a fault', fault.remedy]),
      code: null,
    })),
  ];
}

function sentences(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('\n');
}

function placeOf(document: string, fault: ExplainedFault | undefined): Omit<Finding, 'message' | 'code'> {
  const place = fault?.place ?? null;
  if (place === null) return { path: document, line: 1, column: 1, length: 1 };
  const { file, opens, line, column, excerpt } = place;
  return { path: resolve(dirname(document), opens ?? file), line, column, length: excerpt?.length ?? 0 };
}

/** What keeps a gateway from starting over its own document. */
async function gatewayFindings(path: string, files: OverlayFiles): Promise<readonly Finding[]> {
  const read = await createDocumentReader(files, dirname(path)).readNamed(path, MAX_BYTES.gateway);
  const loaded = loadGateway(read);
  if (loaded.ok) return [];
  const { code, why } = loaded;
  const bytes = files.read.get(path) ?? new Uint8Array();
  const parsed = parseDocument(bytes, MAX_BYTES.gateway);
  const at = parsePointer(why.pointer ?? '') ?? [];
  const extent = parsed.ok ? extentOf(parsed.document.root, at) : null;
  const before = Buffer.from(bytes.subarray(0, extent?.start ?? 0)).toString();
  const target = extent === null ? 1 : extent.end - extent.start;
  const message = sentences([why.cause, why.detail ?? null, why.advice ?? null]);
  const column = Array.from(before.slice(before.lastIndexOf('\n') + 1)).length + 1;
  return [{ path, line: before.split('\n').length, column, length: target, message, code }];
}
