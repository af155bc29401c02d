import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';

export const SVC = resolve(import.meta.dirname, '../../../bin/svc');
export const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface Answer {
  readonly id?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number };
}

/** A client that sends lines and waits for their answers. */
/** What the server asks, or says. */
export interface ServerMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export class Client {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  stderr = '';
  readonly ended: Promise<number | null>;
  readonly #waiting = new Map<unknown, PromiseWithResolvers<Answer>>();
  #rest = '';
  #count = 0;

  constructor(folder: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
    this.child = spawn(SVC, ['code', ...args], {
      cwd: folder,
      env: { ...process.env, XDG_STATE_HOME: join(folder, 'state'), ...variables },
    });
    this.child.stdout.on('data', (chunk: Buffer) => {
      this.#rest += chunk.toString();
      const lines = this.#rest.split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) {
        this.lines.push(line);
        const answer: Answer & ServerMessage = JSON.parse(line);
        if (answer.method !== undefined) this.onMessage(answer);
        this.#waiting.get(answer.id ?? null)?.resolve(answer);
      }
    });
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.ended = new Promise((done) => {
      this.child.once('close', (status) => {
        for (const { reject } of this.#waiting.values()) reject(new Error(`svc code ended: ${this.stderr}`));
        done(status);
      });
    });
  }

  /** Requests and notifications of the server. */
  onMessage: (message: ServerMessage) => void = () => undefined;

  reply(id: unknown, result: unknown): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  }

  async ask(method: string, params: object = {}): Promise<Answer> {
    return this.askAs({ jsonrpc: '2.0', method, params });
  }

  /** A message whose id is of this client. */
  async askAs(message: object): Promise<Answer> {
    this.#count += 1;
    const id = this.#count;
    return this.send(JSON.stringify({ ...message, id }), id);
  }

  async send(line: string, id: unknown): Promise<Answer> {
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting.set(id, waiting);
    this.child.stdin.write(`${line}\n`);
    return waiting.promise;
  }

  async tool(name: string, input: object): Promise<Readonly<Record<string, unknown>>> {
    const { result } = await this.ask('tools/call', { name, arguments: input });
    if (result === undefined) throw new Error('the tool gave no result');
    return result;
  }

  async run(program: string, more: object = {}): Promise<Readonly<Record<string, unknown>>> {
    let answer = await this.tool('run', { program, ...more });
    for (;;) {
      const { status, continue: id }: { readonly status?: string; readonly continue?: string } = Object(
        answer['structuredContent'],
      );
      if (status !== 'running') return answer;
      answer = await this.tool('run', { continue: id });
    }
  }

  /** Resolves when it has written this on its standard error; never, if it ends without. */
  async stderrHas(text: RegExp): Promise<void> {
    while (!text.test(this.stderr)) await once(this.child.stderr, 'data');
  }

  async end(): Promise<number | null> {
    this.child.stdin.end();
    return this.ended;
  }
}

export function textOf({ content }: Readonly<Record<string, unknown>>): string {
  const [block]: readonly { readonly text?: string }[] = Array.isArray(content) ? content : [];
  return block?.text ?? '';
}
