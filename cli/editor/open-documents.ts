import { fileURLToPath, pathToFileURL } from 'node:url';
import { TextLines, type CharacterUnit, type LinePlace } from './positions.ts';
import { isComponent, pathWithoutLinks, type Workspace } from './workspace.ts';

/** Bytes of a text, as of a component (documents.md §2), and of all that are open. */
export const TEXT_BYTES_MAX = 2_000_000;
const ALL_BYTES_MAX = 64_000_000;
const DOCUMENTS_MAX = 512;

/** A text that an editor has open. */
export interface OpenDocument {
  readonly uri: string;
  /** Without links; of a text that is no file, its address. */
  readonly path: string;
  readonly version: number;
  /** Null of a text that is too large to be looked at. */
  readonly lines: TextLines | null;
  readonly isComponent: boolean;
}

/** A part of a text that is another one now; without a range it is the whole. */
export interface TextChange {
  readonly range?: { readonly start: LinePlace; readonly end: LinePlace };
  readonly text: string;
}

/** The texts that an editor has open. */
export class OpenDocuments {
  unit: CharacterUnit = 'utf-16';
  readonly #workspace: Pick<Workspace, 'texts'>;
  readonly #documents = new Map<string, OpenDocument>();

  constructor(workspace: Pick<Workspace, 'texts'>) {
    this.#workspace = workspace;
  }

  get(uri: string): OpenDocument | undefined {
    return this.#documents.get(uri);
  }

  get all(): readonly OpenDocument[] {
    return [...this.#documents.values()];
  }

  /** The open text of a file. */
  ofPath(path: string): OpenDocument | undefined {
    return this.all.find((document) => document.path === path);
  }

  open({
    uri,
    languageId,
    version,
    text,
  }: {
    uri: string;
    languageId: string;
    version: number;
    text: string;
  }): OpenDocument {
    const path = pathOf(uri);
    return this.#keep({
      uri,
      path,
      version,
      lines: this.#linesOf(uri, text),
      isComponent: isComponent(path) || languageId === 'svc-lisp' || languageId === 'clojure',
    });
  }

  /** Null of a text that is not open. */
  change(uri: string, version: number, changes: readonly TextChange[]): OpenDocument | null {
    const document = this.#documents.get(uri);
    if (document === undefined) return null;
    let { lines } = document;
    for (const { range, text } of changes) {
      if (range === undefined) lines = this.#linesOf(uri, text);
      else if (lines !== null) {
        const [one, other] = [lines.offsetAt(range.start), lines.offsetAt(range.end)];
        const [start, end] = [Math.min(one, other), Math.max(one, other)];
        lines = this.#linesOf(uri, lines.text.slice(0, start) + text + lines.text.slice(end));
      }
    }
    return this.#keep({ ...document, version, lines });
  }

  close(uri: string): OpenDocument | null {
    const document = this.#documents.get(uri) ?? null;
    this.#documents.delete(uri);
    if (document !== null) this.#workspace.texts.delete(document.path);
    return document;
  }

  #keep(document: OpenDocument): OpenDocument {
    this.#documents.set(document.uri, document);
    if (document.lines === null) this.#workspace.texts.delete(document.path);
    else this.#workspace.texts.set(document.path, document.lines.text);
    return document;
  }

  #linesOf(uri: string, text: string): TextLines | null {
    const others = this.all.filter((document) => document.uri !== uri);
    const bytes = others.reduce((sum, { lines }) => sum + (lines?.text.length ?? 0), 0);
    const isTooMuch = others.length >= DOCUMENTS_MAX || bytes + text.length > ALL_BYTES_MAX;
    return isTooMuch || Buffer.byteLength(text) > TEXT_BYTES_MAX ? null : new TextLines(text, this.unit);
  }
}

/** The path of an address; the address itself where it is that of no file. */
export function pathOf(uri: string): string {
  try {
    return uri.startsWith('file:') ? pathWithoutLinks(fileURLToPath(uri)) : uri;
  } catch {
    return uri;
  }
}

/** The address of a file; what is no path is one already. */
export function uriOf(path: string): string {
  return path.startsWith('/') ? pathToFileURL(path).href : path;
}
