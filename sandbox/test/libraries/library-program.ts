import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  CapabilityReply,
  ComponentSource,
  EnvironmentKind,
  EvaluateReply,
  ExportFact,
} from '../../../contract/sandbox-protocol.ts';
import type { Isolate, Sandbox } from '../../pool/interface.ts';
import { startSandbox } from '../../pool/pool.ts';
import { shippedLibraries } from '../../../supervisor/documents/libraries/shipped.ts';

const dist = join(import.meta.dirname, '../../../dist');
export const LIBRARIES = shippedLibraries(join(dist, 'libraries'));

/** Isolates of the built program. */
export function startBuiltSandbox(): Sandbox {
  return startSandbox({
    hostScript: join(dist, 'sandbox-host.cjs'),
    guestImage: join(dist, 'guest.snapshot'),
    readableFolders: [dist],
    isolatesPerHost: 2,
  });
}

export function librarySource(id: string): string {
  return readFileSync(join(dist, 'libraries', `${id}.clj`), 'utf8');
}

/** Libraries with all that they need, as the components of one environment. */
export function closureOf(ids: readonly string[]): readonly ComponentSource[] {
  const found = new Map<string, ComponentSource>();
  const pending = [...ids];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const library = LIBRARIES.get(id);
    if (library === undefined) throw new Error(`no library ${id}`);
    found.set(id, { id, source: new TextDecoder().decode(library.source), dependencies: library.dependencies });
    pending.push(...library.dependencies);
  }
  return [...found.values()];
}

/** What the kernel answers to the calls of one program, in order; a call beyond them ends the evaluation. */
export type Script = readonly CapabilityReply[];

export interface Played {
  /** `continued …`, `failed …` or `returned …` with the printed value, or the reason of an error. */
  readonly ended: string;
  readonly reply: EvaluateReply;
  /** `name arguments` of each call. */
  readonly calls: readonly string[];
}

async function open(sandbox: Sandbox, environment: EnvironmentKind): Promise<Isolate> {
  return sandbox.openIsolate({ environment, trustDomain: 'conformance', heapWords: 8_000_000 });
}

/** The facts of all exports of these libraries and of further components. */
export async function exportsOf(
  sandbox: Sandbox,
  components: readonly ComponentSource[],
  environment: EnvironmentKind = 'workflow',
): Promise<readonly ExportFact[]> {
  return (await compiled(sandbox, components, environment)).exports;
}

export async function compiled(sandbox: Sandbox, components: readonly ComponentSource[], environment: EnvironmentKind) {
  const isolate = await open(sandbox, environment);
  try {
    const outcome = await isolate.request({ operation: 'compile', environment, components }, { timeoutMs: 60_000 });
    if (outcome.status !== 'replied') throw new Error(outcome.status);
    if (outcome.reply.status === 'refused')
      throw new Error(`${outcome.reply.fault.reason}: ${outcome.reply.fault.message}`);
    return outcome.reply;
  } finally {
    await isolate.dispose();
  }
}

/** Evaluates a program against these libraries while a scripted kernel answers its calls. */
export async function play(
  sandbox: Sandbox,
  ids: readonly string[],
  source: string,
  script: Script = [],
): Promise<Played> {
  const { code } = await compiled(sandbox, closureOf(ids), 'workflow');
  const isolate = await open(sandbox, 'workflow');
  const calls: string[] = [];
  const answers = script.values();
  try {
    await isolate.request({ operation: 'load', code }, { timeoutMs: 60_000 });
    const outcome = await isolate.request(
      {
        operation: 'evaluate',
        environment: 'workflow',
        source,
        data: {},
        tools: [],
        loop_iterations: null,
        projection: 'printed',
      },
      {
        timeoutMs: 60_000,
        onCapabilityCall: async (call) => {
          calls.push(`${call.name} ${call.arguments}`);
          return JSON.stringify(answers.next().value ?? { reply: 'closed', reason: 'script_ended' });
        },
      },
    );
    if (outcome.status !== 'replied') throw new Error(outcome.status);
    return { ended: endOf(outcome.reply), reply: outcome.reply, calls };
  } finally {
    await isolate.dispose();
  }
}

function endOf(reply: EvaluateReply): string {
  if (reply.outcome === 'evaluation_error') return reply.fault.reason;
  return `${reply.outcome} ${reply.value ?? reply.projection_fault?.reason ?? ''}`;
}

/** A reply with a value, as installed capabilities and kernel routes give it (runtime.md §5). */
export function ok(value: unknown): CapabilityReply {
  return { reply: 'envelope', envelope: { status: 'ok', value } };
}

export function refusal(kind: string, reason: string): CapabilityReply {
  return { reply: 'envelope', envelope: { status: 'error', kind, reason, 'retryable?': false } };
}

export function bare(value: unknown): CapabilityReply {
  return { reply: 'value', value };
}
