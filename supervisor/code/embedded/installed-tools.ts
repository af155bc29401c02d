import { createHash, randomBytes } from 'node:crypto';
import { types } from 'node:util';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isReservedName } from '../../../contract/routes.ts';
import { kebabName } from '../../../contract/tool-mapping.ts';
import { sha256Hex } from '../../documents/digest.ts';
import { defineCustomInstallation, type CustomCapabilitySpec } from '../../providers/custom/define.ts';
import type { CustomCapability, CustomInstallation } from '../../providers/custom/installation.ts';
import { notDispatched, providerError } from '../../providers/custom/outcome.ts';
import { readToolSchema, type ReadToolSchema } from './tool-schemas.ts';
import type { SessionTool, ToolApproval } from './types.ts';

/** Tools of one installation, and of a room: as many selections as a mission may have (documents.md §3). */
const TOOLS_EACH = 128;
export const ROOM_TOOLS_MAX = 32 * TOOLS_EACH;
/** Beyond that the trace of each run has a hash of them (code-mode.md §3). */
const NAMED_TOOLS = 256;
/** One call at most: its program, and its run, have less. */
const CALL_MS = 300_000;
const REVISION = 'room';
const KEY_BYTES = 32;

/** Which tools of a room a person is asked about, where that is known before a call. */
export interface InstalledTools {
  readonly installations: readonly CustomInstallation[];
  /** Names as programs have them. */
  readonly asking: ReadonlySet<string>;
}

/** Tools of the embedding program as providers. Rejects with TypeError for one that breaks a rule, naming it. */
export async function installTools(tools: Readonly<Record<string, SessionTool>>): Promise<InstalledTools> {
  const toolsByName = new Map<string, string>();
  const asking = new Set<string>();
  const specs: CustomCapabilitySpec[] = [];
  const asks = new Map<string, CustomCapability['asks']>();
  for (const [name, tool] of Object.entries(tools)) {
    const role = `room.tools.${name}`;
    const as = kebabName(name);
    if (as === null || isReservedName(as))
      throw new TypeError(
        `${role} has no name that programs can use: letters, digits, dots and hyphens, a letter first, none of svc's own`,
      );
    const other = toolsByName.get(as);
    if (other !== undefined) throw new TypeError(`${role} and room.tools.${other} are both (tool/${as} …)`);
    toolsByName.set(as, name);
    if (mayAsk(tool)) asking.add(as);
    const { spec, ask } = await capabilityOf(as, tool, role);
    specs.push(spec);
    if (ask !== null) asks.set(as, ask);
  }
  const parts = Array.from({ length: Math.ceil(specs.length / TOOLS_EACH) }, (_, index) =>
    specs.slice(index * TOOLS_EACH, (index + 1) * TOOLS_EACH),
  );
  return {
    asking,
    installations: parts.map((capabilities, index) => {
      const defined = defineCustomInstallation({
        alias: index === 0 ? 'tools' : `tools-${index + 1}`,
        revision: REVISION,
        destinations: ['mission'],
        capabilities,
      });
      const installation = { ...defined, capabilities: withAsks(defined.capabilities, asks) };
      return specs.length <= NAMED_TOOLS
        ? installation
        : { ...installation, toolsHash: sha256Hex(canonicalJson(installation.identity)) };
    }),
  };
}

function withAsks(
  capabilities: CustomInstallation['capabilities'],
  asks: ReadonlyMap<string, CustomCapability['asks']>,
): CustomInstallation['capabilities'] {
  return new Map(
    [...capabilities].map(([name, capability]) => {
      const ask = asks.get(name);
      return [name, ask === undefined ? capability : { ...capability, asks: ask }];
    }),
  );
}

/** Whether a person may be asked about it. */
function mayAsk({ approval = 'never', effect = 'write' }: SessionTool): boolean {
  return typeof approval === 'function' || approval === 'always' || (approval === 'writes' && effect === 'write');
}

interface ToolCapability {
  readonly spec: CustomCapabilitySpec;
  /** Null: its approval is a word. */
  readonly ask: NonNullable<CustomCapability['asks']> | null;
}

async function capabilityOf(name: string, tool: SessionTool, role: string): Promise<ToolCapability> {
  const { description, effect = 'write', idempotent = false, approval = 'never', inputSchema, outputSchema } = tool;
  const input = await readToolSchema(inputSchema, 'input', `${role}.inputSchema`);
  const output =
    outputSchema === undefined ? null : await readToolSchema(outputSchema, 'output', `${role}.outputSchema`);
  const spec: CustomCapabilitySpec = {
    name,
    description: idempotent ? `${description}\nThe same call twice changes no more than once.` : description,
    inputSchema: input.json,
    ...(output === null ? {} : { outputSchema: output.json }),
    effect,
    ...(typeof approval === 'function' || approval === 'never' ? {} : { approval }),
    modelVisible: true,
    timeoutMs: CALL_MS,
    call: callOf(tool, input),
  };
  return { spec, ask: typeof approval === 'function' ? askOf(approval, input) : null };
}

/** A function is asked with what the tool would be given; arguments that the tool refuses are nobody's question. */
function askOf(approval: ToolApproval, { parse }: ReadToolSchema): NonNullable<CustomCapability['asks']> {
  return async (input) => {
    const checked = parse === null ? ({ ok: true, value: input } as const) : await parse(input);
    if (!checked.ok) return false;
    const needed: unknown = await approval(Object(checked.value));
    return needed !== false;
  };
}

function callOf(tool: SessionTool, { parse }: ReadToolSchema): CustomCapabilitySpec['call'] {
  // Of this room alone: names of calls are unique within a run.
  const secret = randomBytes(KEY_BYTES);
  let calls = 0;
  return async (input, { signal, capabilityId }) => {
    const checked = parse === null ? ({ ok: true, value: input } as const) : await parse(input);
    if (!checked.ok) return notDispatched('invalid_request', { details: checked.words });
    const value = Object(checked.value);
    calls += 1;
    const idempotencyKey = createHash('sha256').update(secret).update(`${calls} ${capabilityId}`).digest('hex');
    try {
      return await tool.execute(value, { signal, callRef: capabilityId, idempotencyKey });
    } catch (error) {
      return thrownWords(error);
    }
  };
}

/** What a tool throws is for the program, which may do better; traces have none of it. */
function thrownWords(error: unknown): ReturnType<typeof providerError> {
  const message: unknown = types.isNativeError(error) ? messageOf(error) : null;
  return providerError('domain_error', typeof message === 'string' ? { details: message } : {});
}

/** Of an error that may have any class, and so an accessor there. */
function messageOf(error: Error): unknown {
  try {
    return error.message;
  } catch {
    return null;
  }
}
