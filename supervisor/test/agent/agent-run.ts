import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Supervisor } from '../../api/supervisor.ts';
import { runOnce, supervise } from '../capabilities/supervised.ts';
import { runToEnd } from '../../../conformance/cli/program.ts';
import type { LoggedRequest } from '../../../conformance/servers/http/log.ts';
import type { ModelAction, ModelStep } from '../../../conformance/servers/llm/script.ts';
import { startVendor, type VendorServer } from '../../../conformance/servers/llm/vendors/server.ts';
import type { VendorFake, VendorTurn } from '../../../conformance/servers/llm/vendors/vendor.ts';
import { startModelServer } from '../../../conformance/servers/llm/server.ts';
import type { AgentApplication, Said } from './scenario.ts';

type Plain = Readonly<Record<string, unknown>>;

/** What an agent's run came to. */
export interface PlayedAgent {
  readonly exitStatus: number;
  readonly envelope: Plain;
  readonly value: unknown;
  readonly code: string | null;
  readonly usage: Plain;
  /** The requests that the model server saw, as it saw them. */
  readonly wire: readonly LoggedRequest[];
  /** The neutral requests, without the alias, in the order in which they were made. */
  readonly requests: readonly NeutralRequest[];
  readonly events: readonly { readonly type: string; readonly data: Plain }[];
  /** Type of every private record, and its payload with the ids that it belongs to. */
  readonly records: readonly { readonly type: string; readonly payload: Plain }[];
  /** All that a normal run publishes: envelope, trace, standard streams. */
  readonly published: string;
}

export interface PlayedVendor extends PlayedAgent {
  readonly vendor: Pick<VendorServer, 'exchanges' | 'answered'>;
}

export interface NeutralRequest {
  readonly system: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_calls?: readonly unknown[];
    readonly tool_call_id?: string;
  }[];
  readonly tools: readonly unknown[];
  /** `sha256:` and 64 hex digits, without the alias. */
  readonly hash: string;
}

/**
 * What runs the application: the built program, or, in less time, a supervisor in this process, which has no standard
 * streams.
 */
export type EntryPoint = 'program' | 'supervisor';

export interface AgentRuns {
  /** Plays an application against the scripted server. */
  play(application: AgentApplication, answers: readonly Said[], entryPoint?: EntryPoint): Promise<PlayedAgent>;
  /**
   * Plays it against a vendor that refuses what breaks its rules; `install`: further members of the installation, whose
   * model is at the vendor's address.
   */
  playVendor(
    application: AgentApplication,
    vendor: VendorFake,
    /** A text is a program to call the tool with. */ turns: readonly (string | VendorTurn)[],
    port?: number,
  ): Promise<PlayedVendor>;
  /** Plays it again with the answers that `played` was given, from a fixture file and without a network. */
  replay(application: AgentApplication, played: PlayedAgent): Promise<PlayedAgent>;
}

const TOOL = 'run_svc_lisp';

function actionOf(said: Said): ModelAction {
  if (typeof said === 'string') return { answer: { toolCalls: [{ name: TOOL, args: { program: said } }] } };
  if ('fault' in said) return said;
  if ('status' in said) return said;
  const { program, calls, delayMs, about: _, ...answer } = said;
  const toolCalls = program === undefined ? calls : [{ name: TOOL, args: { program } }];
  return {
    answer: { ...answer, ...(toolCalls === undefined ? {} : { toolCalls }) },
    ...(delayMs === undefined ? {} : { delivery: { delayMs } }),
  };
}

/** The i-th step answers the i-th request, of those that are about the same. */
export function scriptOf(answers: readonly Said[]): readonly ModelStep[] {
  return answers.map((said) => ({
    ...(typeof said !== 'string' && 'about' in said && said.about !== undefined
      ? { match: { contains: said.about } }
      : {}),
    action: actionOf(said),
  }));
}

/** Agents in applications of their own, each in a folder of its own, with a scripted model or from recordings. */
export function useAgents(): AgentRuns {
  let supervisor: Supervisor | null = null;
  let root = '';
  let cache = '';
  before(async () => {
    cache = await mkdtemp(join(tmpdir(), 'svc-agent-cache-'));
  });
  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'svc-agent-')));
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });
  after(async () => {
    await supervisor?.close();
    await rm(cache, { recursive: true, force: true });
  });

  const end = async (
    folder: string,
    { tools, options = [], onApproval }: AgentApplication,
    entryPoint: EntryPoint,
  ): Promise<{
    readonly exitStatus: number;
    readonly runRef: string;
    readonly envelope: Plain;
    readonly streams: string;
  }> => {
    if (entryPoint === 'program') {
      const ended = await runToEnd({
        argv: ['run', 'svc-project.json', '--envelope', 'envelope.json', ...options],
        directory: folder,
        environment: { MODEL_KEY: 'sk-4711', SVC_CACHE_DIR: cache },
      });
      const envelope: Plain = JSON.parse(await readFile(join(folder, 'envelope.json'), 'utf8'));
      return {
        exitStatus: ended.status ?? -1,
        runRef: String(envelope['run_ref']),
        envelope,
        streams: ended.stdout + ended.stderr,
      };
    }
    supervisor ??= await supervise({ variables: () => ({ MODEL_KEY: 'sk-4711' }) });
    const report = await runOnce(
      supervisor,
      {
        kind: 'directory',
        manifest: 'svc-project.json',
        workingDirectory: folder,
        custom: [tools?.() ?? []].flat(),
      },
      onApproval === undefined ? {} : { onApproval },
    );
    const envelope: Plain = JSON.parse(report.envelopeText);
    return { exitStatus: report.exitStatus, runRef: report.runRef, envelope, streams: '' };
  };

  const played = async (
    folder: string,
    application: AgentApplication,
    { entryPoint, wire }: { readonly entryPoint: EntryPoint; readonly wire: () => readonly LoggedRequest[] },
  ): Promise<PlayedAgent> => {
    const { exitStatus, runRef, envelope, streams } = await end(folder, application, entryPoint);
    const trace = await published(folder, 'traces', runRef);
    const inspection = await published(folder, 'inspection', runRef);
    const records = inspection
      .trim()
      .split('\n')
      .slice(1, -1)
      .map((line) => {
        const { record } = Object(JSON.parse(line));
        return {
          type: String(record.record_type),
          payload: { ...Object(record.payload), ...Object(record.correlation) },
        };
      });
    const error: unknown = envelope['error'];
    const execution = Object(envelope['execution']);
    return {
      exitStatus,
      envelope,
      value: Object(envelope['result']).value,
      code: typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : null,
      usage: Object(execution.usage),
      wire: wire(),
      requests: requestsIn(records),
      events:
        trace.trim() === ''
          ? []
          : trace
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line)),
      records,
      published: JSON.stringify(envelope) + trace + streams,
    };
  };

  return {
    play: async (application, answers, entryPoint = 'supervisor') => {
      const server = await startModelServer({ script: scriptOf(answers) });
      try {
        const folder = await mkdtemp(join(root, 'run-'));
        await layOut(folder, application, {
          source: 'llm',
          installation_revision: 'r1',
          model: `openai-compat:${server.url}/v1|m`,
          credential: 'key',
          structured_output_mode: 'json_schema',
          usage_guarantees: { tokens: false, cost_currency: null },
          // A scripted failure is one failure.
          retry: { attempts: 1 },
          ...application.install,
        });
        return await played(folder, application, { entryPoint, wire: () => server.requests });
      } finally {
        await server.close();
      }
    },
    playVendor: async (application, vendor, turns, port) => {
      const server = await startVendor(
        vendor,
        turns.map((said, turn) => ({
          thought: `Thought ${turn}: "é" \u{1F600}`,
          ...(typeof said === 'string'
            ? { calls: [{ id: `callAAAA${turn}`, name: TOOL, args: { program: said } }] }
            : said),
        })),
        port === undefined ? {} : { port },
      );
      try {
        const folder = await mkdtemp(join(root, 'vendor-'));
        await layOut(folder, application, {
          source: 'llm',
          installation_revision: 'r1',
          model: `openai-compat:${server.url}/v1|m`,
          credential: 'key',
          structured_output_mode: 'unsupported',
          usage_guarantees: { tokens: true, cost_currency: null },
          retry: { attempts: 1 },
          ...application.install,
        });
        const run = await played(folder, application, { entryPoint: 'supervisor', wire: () => server.exchanges });
        return { ...run, vendor: server };
      } finally {
        await server.close();
      }
    },
    replay: async (application, before) => {
      const folder = await mkdtemp(join(root, 'replay-'));
      await layOut(folder, application, {
        source: 'llm_replay',
        installation_revision: 'r1',
        fixtures: 'replay.jsonl',
      });
      await writeFile(join(folder, 'replay.jsonl'), fixtureLines(before.records));
      return played(folder, application, {
        entryPoint: application.options === undefined ? 'supervisor' : 'program',
        wire: () => [],
      });
    },
  };
}

async function published(folder: string, kind: string, runRef: string): Promise<string> {
  const names = await readdir(join(folder, '.svc', kind)).catch(() => []);
  const name = names.find((candidate) => candidate.startsWith(runRef));
  return name === undefined ? '' : readFile(join(folder, '.svc', kind, name), 'utf8');
}

type Records = PlayedAgent['records'];

function callsOf(records: Records, type: string): readonly Plain[] {
  return records
    .filter(({ type: found, payload }) => found === type && payload['name'] === 'llm-request')
    .map(({ payload }) => payload);
}

function requestsIn(records: Records): readonly NeutralRequest[] {
  return callsOf(records, 'capability-input').map((payload) => ({
    ...Object(payload['arguments']),
    hash: String(payload['request_hash']),
  }));
}

/** Lines of a fixture file that gives every model call of a run the answer it was given. */
export function fixtureLines(records: Records): string {
  const outputs = new Map(
    callsOf(records, 'capability-output').map((payload) => [payload['capability_id'], Object(payload['result'])]),
  );
  const answers = new Map<string, unknown[]>();
  for (const input of callsOf(records, 'capability-input')) {
    const envelope = outputs.get(input['capability_id']);
    if (envelope?.status !== 'ok') throw new Error('only a run whose model calls all had an answer can be recorded');
    const { model: _alias, ...response } = envelope.value;
    const hash = String(input['request_hash']);
    answers.set(hash, [...(answers.get(hash) ?? []), response]);
  }
  return [...answers]
    .map(([hash, responses]) => {
      const [first, ...others] = responses;
      const input = others.length === 0 ? { response: first } : { responses };
      return `${JSON.stringify({ schema_version: 2, request_hash: hash, ...input })}\n`;
    })
    .join('');
}

const ENTRIES = ['agent.core', 'kernel', 'result'];

async function layOut(folder: string, application: AgentApplication, small: Plain): Promise<void> {
  const {
    entry = 'run',
    agent = {},
    task = 'Do it.',
    forms = '',
    libraries = [],
    missions = { default: { data: { rows: [{ a: 1 }, { a: 2 }] } } },
    limits = {},
    hostLimits,
    contracts,
    isPrivate = false,
    files = {},
    select = [{ name: 'small' }],
    tools,
  } = application;
  const { body = `(agent.core/${entry} (:task input) (:agent input))` } = application;
  const selected = [...ENTRIES, ...libraries];
  const aliases = [tools?.() ?? []].flat().map(({ alias }) => ({ name: alias }));
  const documents = {
    'svc.json': {
      version: 1,
      workflow: {
        components: [
          ...selected.map((library) => ({ library })),
          { id: 'main', path: 'main.clj', dependencies: selected.toSorted() },
        ],
        entry: 'main/run',
      },
      missions,
      input: { value: { task, agent } },
      limits,
      providers: { workflow: select, mission: aliases },
      ...(contracts === undefined ? {} : { contracts }),
      ...(isPrivate ? { events: { policy: 'private' } } : {}),
    },
    'svc-host.json': {
      install: { small },
      ...(small['source'] === 'llm' ? { credentials: { key: { env: 'MODEL_KEY' } } } : {}),
      ...(hostLimits === undefined ? {} : { limits: hostLimits }),
    },
    'svc-project.json': {
      kind: 'svc-project',
      version: 1,
      application: { path: 'svc.json' },
      host: { path: 'svc-host.json' },
      artifacts: { root: '.svc', trace: true, inspection: true, envelope: true, result: false },
    },
  };
  const texts = {
    ...Object.fromEntries(Object.entries(documents).map(([name, document]) => [name, JSON.stringify(document)])),
    'main.clj': `(ns main)\n${forms}\n(defn run [input]\n  ${body})\n`,
    ...files,
  };
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
