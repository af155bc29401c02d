import type { Readable, Writable } from 'node:stream';
import {
  createConnection,
  DiagnosticSeverity,
  DidChangeWatchedFilesNotification,
  ErrorCodes,
  ResponseError,
  TextDocumentSyncKind,
  type CancellationToken,
  type Connection,
  type Diagnostic,
  type InitializeParams,
  type InitializeResult,
  type Location,
  type Position,
  type TextEdit,
} from 'vscode-languageserver/node';
import { Assistant } from '../../sandbox/language/editor/assistant.ts';
import { renameAt, thingAt } from '../../sandbox/language/editor/rename.ts';
import { Vocabulary } from '../../sandbox/language/editor/vocabulary.ts';
import { BoundedInput } from './bounded-input.ts';
import {
  completionList,
  documentSymbols,
  formatEdits,
  formatRangeEdits,
  hoverOf,
  signatureHelp,
} from './component-answers.ts';
import type { Finding } from './diagnose.ts';
import type { JsonAssistant, JsonText } from './json-assistant.ts';
import { OpenDocuments, pathOf, TEXT_BYTES_MAX, uriOf, type OpenDocument } from './open-documents.ts';
import { TextLines } from './positions.ts';
import type { Workspace } from './workspace.ts';

export interface EditorServerOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly workspace: Workspace;
  readonly json: JsonAssistant;
  /** Version of the program. */
  readonly version: string;
  readonly readFile: (path: string) => string | null;
  readonly signal: AbortSignal;
}

/** Milliseconds after a change before its file is checked: keys that follow each other are one change. */
const PAUSE_MS = 25;

/**
 * Speaks the language server protocol until the editor says that it ends, or is gone. Returns whether it ended in
 * order.
 */
export async function serveEditor(options: EditorServerOptions): Promise<boolean> {
  const bounded = new BoundedInput();
  const connection = createConnection(options.input.pipe(bounded), options.output, { maxParallelism: 8 });
  const server = new EditorServer(connection, options);
  return new Promise((resolve) => {
    bounded.on('error', () => {
      resolve(false);
    });
    options.signal.addEventListener('abort', () => {
      resolve(true);
    });
    server.listen(resolve);
  });
}

class EditorServer {
  readonly #connection: Connection;
  readonly #workspace: Workspace;
  readonly #json: JsonAssistant;
  readonly #options: EditorServerOptions;
  readonly #documents: OpenDocuments;
  readonly #vocabulary = new Vocabulary();
  readonly #assistants = new Map<
    string,
    { readonly version: number; readonly checks: number; readonly assistant: Assistant }
  >();
  readonly #changed = new Set<string>();
  readonly #published = new Map<string, string>();
  #timer: NodeJS.Timeout | null = null;
  #checking: AbortController | null = null;
  #checks = 0;
  #watches = false;
  #hasFolders = false;
  readonly #folders = new Set<string>();
  #isShut = false;

  constructor(connection: Connection, options: EditorServerOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#workspace = options.workspace;
    this.#json = options.json;
    this.#documents = new OpenDocuments(options.workspace);
  }

  listen(onEnd: (isInOrder: boolean) => void): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => {
      this.#initialized();
    });
    connection.onShutdown(() => {
      this.#isShut = true;
    });
    connection.onExit(() => {
      onEnd(this.#isShut);
    });
    connection.onDidOpenTextDocument(({ textDocument }) => {
      this.#note(this.#documents.open(textDocument));
    });
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
      this.#note(this.#documents.change(uri, version, contentChanges));
    });
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      const closed = this.#documents.close(uri);
      this.#assistants.delete(uri);
      this.#note(closed);
    });
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri } of changes) this.#changed.add(pathOf(uri));
      this.#checkSoon();
    });
    this.#answer();
    connection.listen();
  }

  #answer(): void {
    const connection = this.#connection;
    connection.onCompletion(async ({ textDocument, position }, token) =>
      this.#at(textDocument.uri, position, token, {
        component: ({ assistant, lines, offset }) => completionList(assistant, lines, offset),
        json: async ({ service, document, parsed }, at) => service.doComplete(document, at, parsed),
      }),
    );
    connection.onHover(async ({ textDocument, position }, token) =>
      this.#at(textDocument.uri, position, token, {
        component: ({ assistant, lines, offset }) => hoverOf(assistant, lines, offset),
        json: async ({ service, document, parsed }, at) => service.doHover(document, at, parsed),
      }),
    );
    connection.onSignatureHelp(async ({ textDocument, position }, token) =>
      this.#at(textDocument.uri, position, token, {
        component: ({ assistant, offset }) => signatureHelp(assistant, offset),
      }),
    );
    connection.onDefinition(async ({ textDocument, position }, token) =>
      this.#at(textDocument.uri, position, token, {
        component: (requestedComponent) => this.#definition(requestedComponent),
      }),
    );
    connection.onReferences(async ({ textDocument, position, context }, token) =>
      this.#at(textDocument.uri, position, token, {
        component: (requestedComponent) => this.#references(requestedComponent, context.includeDeclaration),
      }),
    );
    connection.onPrepareRename(async ({ textDocument, position }, token) =>
      this.#at(textDocument.uri, position, token, {
        component: ({ lines, offset }) => {
          const thing = thingAt(lines.text, offset);
          if (thing === null) return null;
          if (thing.refusal !== null) throw new ResponseError(ErrorCodes.InvalidRequest, thing.refusal);
          const place = thing.places.find(({ start, end }) => start <= offset && offset <= end);
          return place === undefined ? null : { range: lines.rangeOf(place), placeholder: thing.name };
        },
      }),
    );
    connection.onRenameRequest(async ({ textDocument, position, newName }, token) =>
      this.#at(textDocument.uri, position, token, {
        component: ({ lines, offset }) => {
          const renaming = renameAt(lines.text, offset, newName);
          if (!renaming.ok) throw new ResponseError(ErrorCodes.InvalidRequest, renaming.reason);
          const edits = renaming.places.map((place) => ({ range: lines.rangeOf(place), newText: newName }));
          return { changes: { [textDocument.uri]: edits } };
        },
      }),
    );
    connection.onDocumentSymbol(async ({ textDocument }, token) =>
      this.#at(textDocument.uri, START, token, {
        component: ({ assistant, lines }) => documentSymbols(assistant, lines),
        json: ({ service, document, parsed }) => service.findDocumentSymbols2(document, parsed),
      }),
    );
    connection.onDocumentFormatting(async ({ textDocument, options }, token) =>
      this.#at(textDocument.uri, START, token, {
        component: ({ lines }) => formatEdits(lines),
        json: ({ service, document }): TextEdit[] =>
          service.format(document, { start: START, end: document.positionAt(document.getText().length) }, options),
      }),
    );
    connection.onDocumentRangeFormatting(async ({ textDocument, range, options }, token) =>
      this.#at(textDocument.uri, START, token, {
        component: ({ lines }) => formatRangeEdits(lines, lines.offsetAt(range.start), lines.offsetAt(range.end)),
        json: ({ service, document }): TextEdit[] => service.format(document, range, options),
      }),
    );
  }

  #initialize({ capabilities, workspaceFolders, rootUri }: InitializeParams): InitializeResult {
    const [preferred] = capabilities.general?.positionEncodings ?? [];
    if (preferred === 'utf-8') this.#documents.unit = 'utf-8';
    this.#watches = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    this.#hasFolders = capabilities.workspace?.workspaceFolders === true;
    const root = rootUri === null || rootUri === undefined ? [] : [{ uri: rootUri }];
    for (const { uri } of workspaceFolders ?? root) this.#folders.add(pathOf(uri));
    this.#workspace.setFolders([...this.#folders]);
    return {
      serverInfo: { name: 'svc', version: this.#options.version },
      capabilities: {
        positionEncoding: this.#documents.unit,
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        completionProvider: { triggerCharacters: ['/', ':', '(', '"'] },
        hoverProvider: true,
        signatureHelpProvider: { triggerCharacters: [' '] },
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentSymbolProvider: true,
        documentFormattingProvider: true,
        documentRangeFormattingProvider: true,
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  #initialized(): void {
    const { client, workspace } = this.#connection;
    if (this.#watches) void client.register(DidChangeWatchedFilesNotification.type, { watchers: [WATCHED] });
    if (!this.#hasFolders) return;
    workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      for (const { uri } of removed) this.#folders.delete(pathOf(uri));
      for (const { uri } of added) this.#folders.add(pathOf(uri));
      this.#workspace.setFolders([...this.#folders]);
    });
  }

  /** Answers by the language or by the schemas; nothing about a text that is not open, or too large. */
  async #at<T, J = T>(
    uri: string,
    position: Position,
    token: CancellationToken,
    answers: {
      readonly component: (requestedComponent: RequestedComponent) => T;
      readonly json?: (text: JsonText, position: Position) => J | PromiseLike<J>;
    },
  ): Promise<T | J | null> {
    // A request that was cancelled meanwhile is not worth the work.
    await new Promise(setImmediate);
    if (this.#isShut) throw new ResponseError(ErrorCodes.InvalidRequest, 'the server was shut down');
    if (token.isCancellationRequested) throw new ResponseError(-32_800, 'cancelled');
    const document = this.#documents.get(uri);
    if (document === undefined || document.lines === null) return null;
    const { lines } = document;
    if (document.isComponent)
      return answers.component({
        document,
        lines,
        offset: lines.offsetAt(position),
        assistant: this.#assistant(document, lines),
      });
    if (answers.json === undefined || !document.path.endsWith('.json')) return null;
    const text = this.#json.text(lines.text, this.#workspace.kindOf(document.path));
    const answer = await answers.json(text, text.document.positionAt(lines.offsetAt(position)));
    return this.#documents.unit === 'utf-16' ? answer : inBytes(answer, text.document.getText());
  }

  /** One for each version of a text, and of what it may name. */
  #assistant({ uri, path, version }: OpenDocument, { text }: TextLines): Assistant {
    const cached = this.#assistants.get(uri);
    if (cached?.version === version && cached.checks === this.#checks) return cached.assistant;
    const assistant = new Assistant(text, this.#vocabulary, this.#workspace.neighboursOf(path));
    this.#assistants.set(uri, { version, checks: this.#checks, assistant });
    return assistant;
  }

  #definition({ document, lines, offset, assistant }: RequestedComponent): Location | null {
    const found = assistant.definition(offset);
    if (found === null) return null;
    if ('place' in found) return { uri: document.uri, range: lines.rangeOf(found.place) };
    const { entry } = found;
    const path = this.#workspace
      .neighboursOf(document.path)
      .entries.find(
        ({ namespace, name, kind }) => namespace === entry.namespace && name === entry.name && kind === entry.kind,
      )?.path;
    const other = path === null || path === undefined ? null : this.#linesOf(path);
    return other === null || path === undefined || path === null
      ? null
      : { uri: this.#uriOf(path), range: other.rangeOf(entry.place) };
  }

  #references({ document, lines, offset, assistant }: RequestedComponent, withDeclaration: boolean): Location[] {
    const thing = thingAt(lines.text, offset);
    const locationsOf = (places: readonly { start: number; end: number }[]): Location[] =>
      places.map((place) => ({ uri: document.uri, range: lines.rangeOf(place) }));
    if (thing?.kind === 'local') {
      const { declaration, places } = thing;
      return locationsOf(withDeclaration ? places : places.filter(({ start }) => start !== declaration.start));
    }
    const definition = assistant.definition(offset);
    const entry =
      definition === null
        ? undefined
        : 'entry' in definition
          ? definition.entry
          : assistant.outline.find(({ place }) => place.start === definition.place.start);
    if (entry === undefined) return [];
    const companions = new Map(this.#workspace.companionsOf(document.path));
    companions.set(document.path, lines.text);
    return [...companions].flatMap(([path, source]) => {
      const other = this.#documents.ofPath(path)?.lines ?? new TextLines(source, this.#documents.unit);
      const own = new Assistant(other.text, this.#vocabulary, this.#workspace.neighboursOf(path));
      const declared = own.outline.find(({ namespace, name }) => namespace === entry.namespace && name === entry.name);
      return own
        .referencesTo(entry.namespace, entry.name)
        .filter(({ start }) => withDeclaration || declared?.place.start !== start)
        .map((place) => ({ uri: this.#uriOf(path), range: other.rangeOf(place) }));
    });
  }

  /** As the editor calls a file that it has open. */
  #uriOf(path: string): string {
    return this.#documents.ofPath(path)?.uri ?? uriOf(path);
  }

  #linesOf(path: string): TextLines | null {
    const open = this.#documents.ofPath(path);
    if (open !== undefined) return open.lines;
    const text = this.#options.readFile(path);
    return text === null ? null : new TextLines(text, this.#documents.unit);
  }

  #note(document: OpenDocument | null): void {
    if (document === null) return;
    this.#changed.add(document.path);
    this.#checkSoon();
  }

  /** What is being checked is out of date. */
  #checkSoon(): void {
    this.#checking?.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), PAUSE_MS);
  }

  async #check(): Promise<void> {
    this.#timer = null;
    if (this.#checking !== null) {
      // The one that runs goes on to this when it has ended.
      return;
    }
    const checking = new AbortController();
    this.#checking = checking;
    const changed = [...this.#changed];
    this.#changed.clear();
    try {
      const found = await this.#workspace.check(changed, checking.signal);
      if (checking.signal.aborted) for (const path of changed) this.#changed.add(path);
      else {
        this.#checks += 1;
        for (const [path, findings] of found)
          if (this.#documents.ofPath(path)?.lines !== null) this.#publish(path, findings);
        for (const path of changed) this.#refuseTooLarge(path);
      }
    } catch (thrown) {
      this.#connection.console.error(`a check ended in a bug: ${thrown instanceof Error ? (thrown.stack ?? '') : ''}`);
    } finally {
      this.#checking = null;
    }
    if (this.#changed.size > 0 && this.#timer === null) this.#checkSoon();
  }

  #publish(path: string, findings: readonly Finding[]): void {
    const lines = this.#linesOf(path);
    const diagnostics: Diagnostic[] = findings.map(({ line, column, length, message, code }) => ({
      range: lines?.rangeOfPoints(line, column, length) ?? { start: START, end: START },
      severity: DiagnosticSeverity.Error,
      source: 'svc',
      message,
      ...(code === null ? {} : { code }),
    }));
    const version = this.#documents.ofPath(path)?.version;
    const said = JSON.stringify(diagnostics);
    // Of a file that is not open nothing is said again.
    if (version === undefined && (this.#published.get(path) ?? '[]') === said) return;
    if (said === '[]') this.#published.delete(path);
    else this.#published.set(path, said);
    void this.#connection.sendDiagnostics({
      uri: this.#uriOf(path),
      diagnostics,
      ...(version === undefined ? {} : { version }),
    });
  }

  #refuseTooLarge(path: string): void {
    const document = this.#documents.ofPath(path);
    if (document === undefined || document.lines !== null) return;
    const message = `This text is not looked at: it has more than ${String(TEXT_BYTES_MAX)} bytes, or too much is open.`;
    void this.#connection.sendDiagnostics({
      uri: document.uri,
      version: document.version,
      diagnostics: [
        { range: { start: START, end: START }, severity: DiagnosticSeverity.Warning, source: 'svc', message },
      ],
    });
  }
}

const WATCHED = { globPattern: '**/*.{clj,cljc,svc,json,jsonl}' };

const START: Position = { line: 0, character: 0 };

interface RequestedComponent {
  readonly document: OpenDocument;
  readonly lines: TextLines;
  readonly offset: number;
  readonly assistant: Assistant;
}

/** An answer with its places in bytes of UTF-8, where they are in UTF-16 units. */
function inBytes<T>(answer: T, text: string): T {
  const [units, bytes] = [new TextLines(text, 'utf-16'), new TextLines(text, 'utf-8')];
  return JSON.parse(JSON.stringify(answer ?? null), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('line' in value) || !('character' in value)) return value;
    const { line, character } = value;
    return typeof line === 'number' && typeof character === 'number'
      ? bytes.placeAt(units.offsetAt({ line, character }))
      : value;
  });
}
