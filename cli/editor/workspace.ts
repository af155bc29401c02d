import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ComponentSource } from '../../contract/sandbox-protocol.ts';
import { outlineOf, type OutlineEntry } from '../../sandbox/language/editor/outline.ts';
import { textTree } from '../../sandbox/language/editor/text-tree.ts';
import type { Neighbours } from '../../sandbox/language/editor/assistant.ts';
import type { CheckedDocument, Diagnoser, Finding } from './diagnose.ts';
import { documentKind, type DocumentKind } from './document-kind.ts';

/** Folders above a file that are searched for documents that name it, and documents in each. */
const MOST_FOLDERS = 8;
const MOST_DOCUMENTS = 64;
/** Documents that are checked for one file. */
const MOST_CHECKED = 16;
/** Bytes of a JSON document (documents.md §2). */
const MOST_BYTES = 1_000_000;

/** A document and the result of checking it. */
interface KnownDocument {
  readonly kind: DocumentKind;
  readonly checked: CheckedDocument;
}

/** A definition in a file. */
export interface PlacedEntry extends OutlineEntry {
  /** Null of a component whose file is not known. */
  readonly path: string | null;
}

/** Files of an editor and the applications that they belong to. */
export class Workspace {
  /** Texts that are open, by path without links. */
  readonly texts = new Map<string, string>();
  readonly #diagnoser: Diagnoser;
  readonly #librariesFolder: string;
  readonly #documents = new Map<string, KnownDocument>();
  readonly #alone = new Map<string, readonly Finding[]>();
  readonly #entries = new Map<string, readonly OutlineEntry[]>();
  #folders: readonly string[] = [];

  constructor(diagnoser: Diagnoser, librariesFolder: string) {
    this.#diagnoser = diagnoser;
    this.#librariesFolder = librariesFolder;
  }

  /** Folders that are open; documents are not sought above them. */
  setFolders(folders: readonly string[]): void {
    this.#folders = folders.map(pathWithoutLinks);
  }

  /**
   * Checks everything that a change of these files may change. Returns the findings of all files of the documents that
   * were checked; a file that is not among the keys keeps what it had.
   */
  async check(changed: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, readonly Finding[]>> {
    const touched = new Set<string>();
    const before = new Set<string>();
    for (const path of changed) {
      this.#alone.delete(path);
      for (const document of this.#documentsOf(path)) touched.add(document);
    }
    for (const document of touched) {
      const known = this.#documents.get(document);
      for (const { path } of known?.checked.findings ?? []) before.add(path);
      const kind = this.#kindOf(document);
      if (kind === null) this.#documents.delete(document);
      else
        this.#documents.set(document, {
          kind,
          checked: await this.#diagnoser.check(document, kind, this.texts, signal),
        });
    }
    this.#evictUnneeded();
    for (const path of changed) {
      const text = this.texts.get(path);
      const isUsed = [...this.#documents.values()].some(({ checked }) => checked.read.has(path));
      if (text !== undefined && isComponent(path) && !isUsed)
        this.#alone.set(path, this.#diagnoser.checkAlone(path, text));
    }
    const all = this.#findings();
    const paths = new Set([...changed, ...before, ...[...touched].flatMap((path) => this.#pathsOf(path))]);
    return new Map([...paths].map((path) => [path, all.get(path) ?? []]));
  }

  #pathsOf(document: string): readonly string[] {
    const known = this.#documents.get(document);
    return known === undefined ? [document] : known.checked.findings.map(({ path }) => path);
  }

  /** Each finding once, by file. */
  #findings(): ReadonlyMap<string, readonly Finding[]> {
    const found = new Map<string, Map<string, Finding>>();
    const all = [...this.#documents.values()].flatMap(({ checked }) => checked.findings);
    for (const finding of [...all, ...[...this.#alone.values()].flat()]) {
      const own = found.get(finding.path) ?? new Map<string, Finding>();
      found.set(finding.path, own);
      const key = `${String(finding.line)}:${String(finding.column)}`;
      // One that has a code is shown with its whole message.
      const other = own.get(key);
      if (other === undefined || (other.code === null && finding.code !== null)) own.set(key, finding);
    }
    return new Map(
      [...found].map(([path, own]) => [
        path,
        [...own.values()].toSorted((one, other) => one.line - other.line || one.column - other.column),
      ]),
    );
  }

  /** Documents that a file belongs to: itself, those that read it when they were last checked, those that may. */
  #documentsOf(path: string): readonly string[] {
    const known = [...this.#documents].filter(([, { checked }]) => checked.requested.has(path)).map(([name]) => name);
    const own = path.endsWith('.json') && this.#kindOf(path) !== null ? [path] : [];
    if (known.length > 0) return [...new Set([...known, ...own])];
    return [...new Set([...own, ...this.#candidates(path)])].slice(0, MOST_CHECKED);
  }

  /** Projects and manifests in the folder of a file and those above it, the nearest first. */
  #candidates(path: string): readonly string[] {
    const found: string[] = [];
    let folder = dirname(path);
    for (let level = 0; level < MOST_FOLDERS; level += 1) {
      for (const name of documentsIn(folder)) {
        const kind = this.#kindOf(join(folder, name));
        if (kind === 'project' || kind === 'manifest') found.push(join(folder, name));
      }
      if (this.#folders.includes(folder) || dirname(folder) === folder) break;
      folder = dirname(folder);
    }
    return found.filter((document) => !this.#documents.has(document));
  }

  #kindOf(path: string): DocumentKind | null {
    const text = this.texts.get(path) ?? textOf(path);
    return text === null ? null : documentKind(basename(path), text);
  }

  /** Documents stay known as long as they are open, or read a file that is. */
  #evictUnneeded(): void {
    for (const [document, { checked }] of this.#documents) {
      const isNeeded = [...this.texts.keys()].some((path) => path === document || checked.read.has(path));
      if (!isNeeded) this.#documents.delete(document);
    }
  }

  /** The kind of an open JSON document. */
  kindOf(path: string): DocumentKind | null {
    return this.#kindOf(path);
  }

  /** What a component may name, by the last application that was checked with it. */
  neighboursOf(path: string): Omit<Neighbours, 'entries'> & { readonly entries: readonly PlacedEntry[] } {
    const tools = new Set<string>();
    const data = new Set<string>();
    const entries = new Map<string, PlacedEntry>();
    for (const { checked } of this.#documents.values()) {
      const bytes = checked.read.get(path);
      if (bytes === undefined) continue;
      const text = Buffer.from(bytes).toString();
      for (const set of checked.sets) {
        const own = set.find(({ source }) => source === text);
        for (const component of set) {
          for (const [, prefix, name = ''] of component.source.matchAll(/(?<![\w/.-])(tool!?|data)\/([a-z][\w.-]*)/g))
            (prefix === 'data' ? data : tools).add(name);
          if (own !== undefined && !own.dependencies.includes(component.id)) continue;
          for (const entry of this.#entriesOf(component.source)) {
            const key = `${entry.namespace}/${entry.name} ${entry.kind}`;
            if (!entries.has(key)) entries.set(key, { ...entry, path: this.#fileOf(component, checked) });
          }
        }
      }
    }
    return { entries: [...entries.values()], tools: [...tools].toSorted(), data: [...data].toSorted() };
  }

  /** Components of the same applications, by path: of those that are files. */
  companionsOf(path: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const { checked } of this.#documents.values()) {
      if (!checked.read.has(path)) continue;
      for (const component of checked.sets.flat()) {
        const file = this.#fileOf(component, checked);
        if (file !== null) found.set(file, component.source);
      }
    }
    return found;
  }

  #fileOf({ id, source }: ComponentSource, { read }: CheckedDocument): string | null {
    for (const [path, bytes] of read)
      if (bytes.length === Buffer.byteLength(source) && Buffer.from(bytes).toString() === source) return path;
    const shipped = join(this.#librariesFolder, `${id}.clj`);
    return textOf(shipped) === source ? shipped : null;
  }

  #entriesOf(source: string): readonly OutlineEntry[] {
    const outlineEntries = this.#entries.get(source);
    if (outlineEntries !== undefined) return outlineEntries;
    const entries = outlineOf(source, textTree(source)).entries;
    if (this.#entries.size >= MOST_DOCUMENTS) this.#entries.clear();
    this.#entries.set(source, entries);
    return entries;
  }
}

/** Whether a file is a component by its name. */
export function isComponent(path: string): boolean {
  return /\.(?:clj|cljc|svc)$/.test(path);
}

/** The path of a file as the documents' loader calls it; the file need not be there. */
export function pathWithoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(pathWithoutLinks(folder), basename(path));
  }
}

function documentsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted()
      .slice(0, MOST_DOCUMENTS);
  } catch {
    // A folder that may not be listed holds no document for us.
    return [];
  }
}

function textOf(path: string): string | null {
  try {
    const status = statSync(path);
    return status.isFile() && status.size <= MOST_BYTES * 2 ? readFileSync(path, 'utf8') : null;
  } catch {
    return null;
  }
}
