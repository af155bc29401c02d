import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validEnvelope } from '../cli/envelope-check.ts';
import { isAlive, membersOf } from '../cli/descendants.ts';
import { start, type Ended, type Started } from '../cli/program.ts';
import { runResident, type PlainInvocation } from '../cli/resident/resident.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { bundleProgram } from '../servers/bundled.ts';
import type { StdioAction, Script, StdioStep } from '../servers/mcp-stdio/script.ts';
import { until } from '../until.ts';

type Members = Readonly<Record<string, unknown>>;

/** What no artifact, stream or message may ever hold. */
export const TOOL_SECRET = 'sk-planted-4711-0815';
export const SERVER = bundleProgram(join(import.meta.dirname, '../servers/mcp-stdio/main.ts'));
export const TERMS = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
export const DISCOVERED = {
  ...TERMS,
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  serverInfo: { name: 'test', version: '1' },
};
export const LOOK_UP = {
  name: 'lookUp',
  description: 'Looks up.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string', maxLength: 20 } },
    required: ['city'],
    additionalProperties: false,
  },
};
export const discover = (action: StdioAction = { result: DISCOVERED }): StdioStep => ({
  method: 'server/discover',
  action,
});
export const listing = (...tools: readonly unknown[]): StdioStep => ({
  method: 'tools/list',
  action: { result: { ...TERMS, tools } },
});
export const call = (action: StdioAction, name = 'lookUp'): StdioStep => ({ method: 'tools/call', name, action });
export const textResult = (text: string): Members => ({ resultType: 'complete', content: [{ type: 'text', text }] });

/** A program of the mission, and what it comes to: its value alone, or the whole record of its evaluation. */
export const CALL = '(tool/look-up {:city "Oslo"})';
const WORKFLOW =
  '(ns main) (defn run [input] (let [record (kernel/eval-source "desk" (get input "program"))] (if (get input "whole") record (get record :value record))))';

/** An application with a server of tools, as a test lays it out. */
export interface ToolApplication {
  readonly script: Script;
  /** Mappings of the host document; absent: `lookUp` as `look-up`, which reads. */
  readonly tools?: Members;
  /** Members of the installation, of its transport, of the selection, of the manifest, of the host document. */
  readonly installation?: Members;
  /** A second server that does the same, with these mappings. */
  readonly twin?: { readonly tools: Members; readonly config: Members };
  /** Further installations, by alias. */
  readonly others?: Members;
  readonly transport?: Members;
  readonly config?: Members;
  readonly manifest?: Members;
  readonly host?: Members;
  /** What the mission runs; absent: one call. */
  readonly program?: string;
  readonly whole?: boolean;
  readonly argv?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ToolReport extends Ended {
  readonly envelope: Members;
  readonly value: unknown;
}

/** A directory with an application whose mission calls tools of a scripted server. */
export class ToolRoom {
  readonly directory: string;

  constructor({
    script,
    tools,
    installation,
    others,
    twin,
    transport,
    config,
    manifest,
    host,
    program = CALL,
    whole = false,
  }: ToolApplication) {
    const stdio = {
      type: 'stdio',
      command: process.execPath,
      args: [SERVER, '--script', 'script.json', '--log', 'log', '--pids', 'pids'],
      ...transport,
    };
    const desk = {
      source: 'mcp',
      installation_revision: 'r1',
      transport: stdio,
      tools: tools ?? { lookUp: { as: 'look-up', effect: 'read' } },
      ceilings: { timeout_ms: 60_000 },
      ...installation,
    };
    const install = { desk, ...(twin === undefined ? {} : { twin: { ...desk, tools: twin.tools } }), ...others };
    const selected = [
      { name: 'desk', ...(config === undefined ? {} : { config }) },
      ...(twin === undefined ? [] : [{ name: 'twin', config: twin.config }]),
    ];
    this.directory = makeWorkDirectory({
      'script.json': script,
      log: '',
      pids: '',
      'main.clj': WORKFLOW,
      'svc-host.json': { install, ...host },
      'svc.json': {
        version: 1,
        workflow: {
          components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
          entry: 'main/run',
        },
        missions: { desk: { providers: selected.map(({ name }) => name) } },
        input: { value: { program, whole } },
        providers: { mission: selected },
        limits: { evaluation_timeout_ms: 60_000, run_duration_ms: 120_000, workflow_timeout_ms: 120_000 },
        ...manifest,
      },
    });
  }

  /** A process of its own. */
  start(argv?: readonly string[], environment?: Readonly<Record<string, string>>): Started {
    return start(this.#invocation(argv, environment));
  }

  async run(argv?: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Ended> {
    return runResident(this.#invocation(argv, environment));
  }

  #invocation(
    argv: readonly string[] = ['run', 'svc.json'],
    environment: Readonly<Record<string, string>> = {},
  ): PlainInvocation {
    return {
      argv: [...argv, '--host-config', 'svc-host.json', '--envelope', 'envelope.json'],
      directory: this.directory,
      environment,
    };
  }

  async report(ended: Ended): Promise<ToolReport> {
    const envelope = validEnvelope(this.text('envelope.json'));
    const result = envelope['result'];
    return {
      ...ended,
      envelope,
      value: typeof result === 'object' && result !== null && 'value' in result ? result.value : undefined,
    };
  }

  async command(argv: readonly string[]): Promise<Ended> {
    return runResident({ argv, directory: this.directory });
  }

  text(name: string): string {
    return readFileSync(join(this.directory, name), 'utf8');
  }

  /** What the server was told. */
  requests(): readonly Members[] {
    return this.text('log')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Members => JSON.parse(line));
  }

  /** Methods of what the server was told. */
  methods(): readonly unknown[] {
    return this.requests().map(({ method }) => method);
  }

  pids(): readonly number[] {
    return this.text('pids')
      .split('\n')
      .filter((line) => line !== '')
      .map(Number);
  }

  /** Waits for the end of each process that the server is or started, and of whatever watches over it. */
  async allEnded(): Promise<void> {
    await until('the end of every process of the server', () =>
      this.pids().some((pid) => isAlive(pid) || membersOf(pid).length > 0) ? undefined : true,
    );
  }

  close(): void {
    removeWorkDirectory(this.directory);
  }
}

/** Runs an application to its end, and sees that nothing of its server is left. */
export async function runTools(
  application: ToolApplication,
  look: (report: ToolReport, room: ToolRoom) => void | Promise<void>,
): Promise<void> {
  const room = new ToolRoom(application);
  try {
    const report = await room.report(await room.run(application.argv, application.environment));
    await look(report, room);
    await room.allEnded();
  } finally {
    room.close();
  }
}
