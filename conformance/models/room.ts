import { mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start, type Ended, type Started } from '../cli/program.ts';
import { runResident, type PlainInvocation } from '../cli/resident/resident.ts';
import type { ModelStep } from '../servers/llm/script.ts';
import { startModelServer, type ModelServer, type ModelServerOptions } from '../servers/llm/server.ts';

/** What no artifact, stream or message may ever hold. */
export const MODEL_SECRET = 'sk-planted-4711-0815';
export const REQUEST = { messages: [{ role: 'user', content: 'good morning' }] };

/** What the workflow does with its input. */
const PROGRAMS = {
  ask: '(ns main) (defn run [input] (tool/llm-request (:request input)))',
  count:
    '(ns main) (defn run [input] (mapv (fn [_] (:status (tool/llm-request (:request input)))) (range (:times input))))',
  each: '(ns main) (defn run [input] (mapv (fn [request] (tool/llm-request request)) (:requests input)))',
  fan: '(ns main) (defn run [input] (pmap (fn [_] (:status (tool/llm-request (:request input)))) (range (:times input))))',
  fail: '(ns main) (defn run [input] (let [answer (tool/llm-request (:request input))] (if (= :ok (:status answer)) answer (fail answer))))',
} as const;

type Members = Readonly<Record<string, unknown>>;

/** An application with a host, as a test lays it out. */
export interface ModelApplication {
  readonly program?: keyof typeof PROGRAMS;
  readonly input?: unknown;
  /** Absent: one live model, `small`, at the room's server. */
  readonly install?: Members;
  readonly select?: readonly unknown[];
  readonly limits?: Members;
  readonly hostLimits?: Members;
  readonly manifest?: Members;
  readonly files?: Readonly<Record<string, string>>;
  /** Absent: `run` of it. */
  readonly argv?: readonly string[];
  /** Behind the arguments. */
  readonly options?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ModelReport extends Ended {
  readonly envelope: Members;
  /** Of a normal run that is ok. */
  readonly value: unknown;
}

const ENVELOPE = 'envelope.json';

/** A directory with an application, and a model server beside it. */
export class ModelRoom {
  readonly directory: string;
  #server: ModelServer | null = null;

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async open(): Promise<ModelRoom> {
    return new ModelRoom(await realpath(await mkdtemp(join(tmpdir(), 'svc-models-'))));
  }

  async close(): Promise<void> {
    await this.#server?.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** The server of the room; a later one takes the place of an earlier. */
  async serve(script: readonly ModelStep[], options: Omit<ModelServerOptions, 'script'> = {}): Promise<ModelServer> {
    await this.#server?.close();
    return (this.#server = await startModelServer({ ...options, script }));
  }

  get server(): ModelServer {
    if (this.#server === null) throw new Error('a server was started');
    return this.#server;
  }

  /** An installation of a live model at the room's server. */
  model(more: Members = {}): Members {
    return {
      source: 'llm',
      installation_revision: 'r1',
      model: `openai-compat:${this.#server?.url ?? 'http://127.0.0.1:9'}/v1|m`,
      credential: 'key',
      structured_output_mode: 'json_schema',
      usage_guarantees: { tokens: false, cost_currency: null },
      // What a suite does not say otherwise is asked once: attempts have a suite of their own.
      retry: { attempts: 1 },
      ...more,
    };
  }

  async layOut({
    program = 'ask',
    input = { request: REQUEST },
    install,
    select = [{ name: 'small' }],
    limits = {},
    hostLimits = {},
    manifest = {},
    files = {},
  }: ModelApplication): Promise<void> {
    const host = {
      credentials: { key: { env: 'MODEL_KEY' } },
      install: install ?? { small: this.model() },
      limits: hostLimits,
    };
    const application = {
      version: 1,
      workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
      input: { value: input },
      providers: { workflow: select },
      limits,
      ...manifest,
    };
    const all = {
      'svc.json': JSON.stringify(application),
      'svc-host.json': JSON.stringify(host),
      'main.clj': PROGRAMS[program],
      ...files,
    };
    await Promise.all(Object.entries(all).map(async ([name, text]) => writeFile(join(this.directory, name), text)));
  }

  /** A process of its own. */
  start(application: ModelApplication): Started {
    return start(this.#invocation(application));
  }

  #invocation({
    argv = ['run', 'svc.json', '--host-config', 'svc-host.json'],
    options = [],
    environment = { MODEL_KEY: MODEL_SECRET },
  }: ModelApplication): PlainInvocation {
    return { argv: [...argv, '--envelope', ENVELOPE, ...options], directory: this.directory, environment };
  }

  /** Lays the application out and lets the program work on it, to its end. */
  async run(application: ModelApplication = {}): Promise<ModelReport> {
    await this.layOut(application);
    return this.report(await runResident(this.#invocation(application)));
  }

  /** The same, without a new lay-out and without an envelope. */
  async command(
    argv: readonly string[],
    environment: Readonly<Record<string, string>> = { MODEL_KEY: MODEL_SECRET },
  ): Promise<Ended> {
    return runResident({ argv, directory: this.directory, environment });
  }

  /** The end of a started program with its envelope, which is removed. */
  async report(ended: Ended): Promise<ModelReport> {
    const file = join(this.directory, ENVELOPE);
    const envelope: Members = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
    await rm(file, { force: true });
    const result: unknown = envelope['result'];
    return {
      ...ended,
      envelope,
      value: typeof result === 'object' && result !== null && 'value' in result ? result.value : undefined,
    };
  }

  async file(name: string): Promise<string> {
    return readFile(join(this.directory, name), 'utf8');
  }

  /** Everything that lies in the directory, by its path. */
  async everything(): Promise<ReadonlyMap<string, string>> {
    const entries = await readdir(this.directory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return new Map(await Promise.all(files.map(async (path) => [path, await readFile(path, 'latin1')] as const)));
  }
}
