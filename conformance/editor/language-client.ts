import { spawn, type ChildProcess } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type Diagnostic,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import { until } from '../until.ts';

/** `svc lsp` as an editor has it, in one folder. */
export class LanguageClient {
  readonly connection: ProtocolConnection;
  readonly child: ChildProcess;
  readonly #folder: string;
  readonly #diagnostics = new Map<string, PublishDiagnosticsParams>();
  readonly #versions = new Map<string, number>();
  readonly #waiting = new Set<(said: PublishDiagnosticsParams) => void>();

  private constructor(folder: string, program: string) {
    this.#folder = realpathSync(folder);
    this.child = spawn(program, ['lsp'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdin, stdout } = this.child;
    if (stdin === null || stdout === null) throw new Error('a child with pipes has streams');
    this.connection = createProtocolConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    this.connection.onNotification('textDocument/publishDiagnostics', (said: PublishDiagnosticsParams) => {
      this.#diagnostics.set(said.uri, said);
      for (const notice of this.#waiting) notice(said);
    });
    this.connection.listen();
  }

  /** A server that is ready; `initialized` is what it said of itself. */
  static async start(
    folder: string,
    capabilities: object = {},
    program: string = process.env['SVC_PROGRAM'] ?? 'svc',
  ): Promise<{ readonly client: LanguageClient; readonly initialized: InitializeResult }> {
    const client = new LanguageClient(folder, program);
    const uri = pathToFileURL(client.#folder).href;
    const initialized: InitializeResult = await client.connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: 'folder' }],
      capabilities,
    });
    await client.connection.sendNotification('initialized', {});
    return { client, initialized };
  }

  uri(name: string): string {
    return pathToFileURL(join(this.#folder, name)).href;
  }

  async open(name: string, text: string): Promise<void> {
    const languageId = name.endsWith('.json') ? 'json' : 'svc-lisp';
    this.#versions.set(name, 1);
    const textDocument = { uri: this.uri(name), languageId, version: 1, text };
    await this.connection.sendNotification('textDocument/didOpen', { textDocument });
  }

  /** Replaces a range, or the whole text without one. */
  async change(
    name: string,
    text: string,
    range?: { readonly start: Position; readonly end: Position },
  ): Promise<void> {
    const version = (this.#versions.get(name) ?? 0) + 1;
    this.#versions.set(name, version);
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: this.uri(name), version },
      contentChanges: [range === undefined ? { text } : { range, text }],
    });
  }

  async close(name: string): Promise<void> {
    this.#diagnostics.delete(this.uri(name));
    await this.connection.sendNotification('textDocument/didClose', { textDocument: { uri: this.uri(name) } });
  }

  /** Asks about a place of a text; `more` are further parameters. */
  async ask<T>(method: string, name: string, position?: Position, more: object = {}): Promise<T> {
    const requested = {
      textDocument: { uri: this.uri(name) },
      ...(position === undefined ? {} : { position }),
      ...more,
    };
    return this.connection.sendRequest<T>(`textDocument/${method}`, requested);
  }

  /** What the server says of the newest version of a text. */
  async diagnosticsOf(name: string): Promise<readonly Diagnostic[]> {
    const version = this.#versions.get(name);
    return until(`diagnostics of ${name}`, () => {
      const said = this.#diagnostics.get(this.uri(name));
      return said !== undefined && said.version === version ? said.diagnostics : undefined;
    });
  }

  /** The same, at the moment when it comes, for those who measure; only to be called before it came. */
  async nextDiagnosticsOf(name: string): Promise<readonly Diagnostic[]> {
    const [uri, version] = [this.uri(name), this.#versions.get(name)];
    return new Promise((resolve) => {
      const notice = (said: PublishDiagnosticsParams): void => {
        if (said.uri !== uri || said.version !== version) return;
        this.#waiting.delete(notice);
        resolve(said.diagnostics);
      };
      this.#waiting.add(notice);
    });
  }

  /** The same of a text that is not open. */
  async saidOf(name: string): Promise<readonly Diagnostic[]> {
    return until(`diagnostics of ${name}`, () => this.#diagnostics.get(this.uri(name))?.diagnostics);
  }

  /** Ends as an editor does; the exit status. */
  async end(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => {
      this.child.once('exit', resolve);
    });
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const status = await ended;
    this.connection.dispose();
    return status;
  }
}

/** The place of the first unit of a text in another one. */
export function placeOf(text: string, target: string, from = 0): Position {
  const before = text.slice(0, text.indexOf(target, from));
  const line = before.split('\n').length - 1;
  return { line, character: before.length - before.lastIndexOf('\n') - 1 };
}
