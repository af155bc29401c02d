import { NAME } from './diagnostics/grammar.ts';
import type { Effect } from './effect.ts';
import { compareUtf8 } from './json/utf8.ts';
import { isReservedName } from './routes.ts';

/**
 * How the tools of a server become capabilities (world.md §2.3): one rule for every source that offers tools which the
 * host document maps. Rows name a tool each; `"*"` means all that have no row.
 */

/** What a host document says of an effect: `annotations` trusts the server's own word. */
export type DeclaredEffect = 'read' | 'write' | 'annotations';

/** What holds for a mapped tool, whatever its name is. */
interface ToolTerms {
  readonly effect: DeclaredEffect;
  readonly errorFeedback: 'closed' | 'bounded';
  readonly inspectionCapture: 'full' | 'digest_results';
  /** What is no text comes with its bytes, and not as its digest alone (world.md §2.2). */
  readonly isInline: boolean;
}

/** The row of one tool. */
export interface ToolRow extends ToolTerms {
  /** The name that the server uses. */
  readonly upstream: string;
  /** The name that programs use. */
  readonly as: string;
  /** The operator's own words, instead of the server's. */
  readonly description: string | null;
  readonly isModelVisible: boolean;
}

/** The row `"*"`, as far as a selection allows it. */
export interface RestOfTools extends ToolTerms {
  /** Names that programs may use; null for every one. */
  readonly allowed: readonly string[] | null;
  /** Those of them that models are shown; null for every one. */
  readonly visible: readonly string[] | null;
  /** Rows, allowed or not, by upstream name: such a tool is theirs, and its name is taken. */
  readonly rows: ReadonlyMap<string, string>;
  /** Null: what has no name of its own is refused, and a row gives it one. */
  readonly imported: ImportedTools | null;
}

/** How tools are named that come from the configuration of a client, where no row can be written (code-mode.md §3). */
export interface ImportedTools {
  /** The first so many by name are mapped. */
  readonly maxTools: number;
  /** Characters of a name. */
  readonly nameLength: number;
}

/** The tools of a server that a selection allows. */
export interface ToolMapping {
  readonly rows: readonly ToolRow[];
  /** Null where every tool that may be called has a row. */
  readonly rest: RestOfTools | null;
}

/** A tool whose name and effect are known. */
export interface MappedTool extends Omit<ToolRow, 'effect'> {
  readonly effect: Effect;
}

/** Why a catalogue cannot be mapped. */
export type MappingFault =
  /** No tool of this upstream name, or of this name in programs, is offered. */
  | { readonly kind: 'missing'; readonly name: string }
  /** Two tools would have one name. */
  | { readonly kind: 'collision'; readonly as: string; readonly upstream: readonly [string, string] }
  /** The name of a tool gives none that programs can use: `as` is null, or a name of the kernel's own. */
  | { readonly kind: 'unusable'; readonly upstream: string; readonly as: string | null };

/** What is known of a tool before it is mapped. */
export interface UpstreamTool {
  readonly upstream: string;
  /** The server says that it changes nothing (`readOnlyHint`). */
  readonly isReadOnly: boolean;
}

const USABLE = new RegExp(`^${NAME}$`);
/** The key of the row that means every tool without one of its own. */
export const EVERY_TOOL = '*';

/** The name that programs use where a row gives none: in kebab-case; null where none can be made. */
export function kebabName(upstream: string): string | null {
  const words = upstream
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|(?<![-.])[-.]+$/g, '');
  return USABLE.test(words) ? words : null;
}

/** Whether a tool may have to be read to be mapped: all others are not looked at. */
export function mayBeMapped({ rows, rest }: ToolMapping, upstream: string): boolean {
  if (rows.some((row) => row.upstream === upstream)) return true;
  if (rest === null || rest.rows.has(upstream)) return false;
  const as = kebabName(upstream);
  return rest.allowed === null || (as !== null && rest.allowed.includes(as));
}

/** The tools of a catalogue by the names that programs use. */
export interface MappedTools {
  readonly ok: true;
  readonly tools: readonly MappedTool[];
  /** Tools beyond the bound of an import. */
  readonly leftOut: number;
}

/** The tools that a server offers, as a selection may call them: rows first, then all others by name. */
export function mapTools(
  mapping: ToolMapping,
  offered: readonly UpstreamTool[],
): MappedTools | { readonly ok: false; readonly fault: MappingFault } {
  const byName = new Map(offered.map((tool) => [tool.upstream, tool]));
  const missing = mapping.rows.find(({ upstream }) => !byName.has(upstream));
  if (missing !== undefined) return { ok: false, fault: { kind: 'missing', name: missing.upstream } };
  const rows = mapping.rows.map((row): MappedTool => ({ ...row, effect: effectOf(row, byName.get(row.upstream)) }));
  if (mapping.rest === null) return { ok: true, tools: rows, leftOut: 0 };
  const rest = mapRest(mapping.rest, offered);
  return rest.ok ? { ...rest, tools: [...rows, ...rest.tools] } : rest;
}

function mapRest(rest: RestOfTools, offered: readonly UpstreamTool[]): ReturnType<typeof mapTools> {
  const { allowed, visible, rows, imported } = rest;
  if (imported !== null) return mapImported(rest, imported, offered);
  const used = new Map([...rows].map(([upstream, as]) => [as, upstream]));
  const tools: MappedTool[] = [];
  for (const tool of offered) {
    const { upstream } = tool;
    if (rows.has(upstream)) continue;
    const as = kebabName(upstream);
    const isAllowed = allowed === null || (as !== null && allowed.includes(as));
    if (!isAllowed) continue;
    if (as === null || isReservedName(as)) return { ok: false, fault: { kind: 'unusable', upstream, as } };
    const other = used.get(as);
    if (other !== undefined) return { ok: false, fault: { kind: 'collision', as, upstream: [other, upstream] } };
    used.set(as, upstream);
    tools.push(mappedTool(rest, tool, as, visible === null || visible.includes(as)));
  }
  const missing = allowed?.find((name) => !tools.some(({ as }) => as === name));
  if (missing !== undefined) return { ok: false, fault: { kind: 'missing', name: missing } };
  return { ok: true, tools: tools.toSorted((left, right) => compareUtf8(left.as, right.as)), leftOut: 0 };
}

/** Every tool gets a name: one that another has got is numbered, in the order of upstream names. */
function mapImported(
  rest: RestOfTools,
  { maxTools, nameLength }: ImportedTools,
  offered: readonly UpstreamTool[],
): MappedTools {
  const used = new Set(rest.rows.values());
  const others = offered.filter(({ upstream }) => !rest.rows.has(upstream));
  const tools = others
    .toSorted((left, right) => compareUtf8(left.upstream, right.upstream))
    .map((tool) => {
      const as = freeName(tool.upstream, nameLength, used);
      used.add(as);
      return mappedTool(rest, tool, as, true);
    })
    .toSorted((left, right) => compareUtf8(left.as, right.as));
  return { ok: true, tools: tools.slice(0, maxTools), leftOut: Math.max(0, tools.length - maxTools) };
}

function freeName(upstream: string, length: number, used: ReadonlySet<string>): string {
  const name = kebabName(upstream) ?? kebabName(`tool-${upstream}`) ?? 'tool';
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const free = `${name.slice(0, length - suffix.length)}${suffix}`;
    if (!used.has(free)) return free;
  }
}

function mappedTool(terms: RestOfTools, tool: UpstreamTool, as: string, isModelVisible: boolean): MappedTool {
  const { errorFeedback, inspectionCapture, isInline } = terms;
  return {
    upstream: tool.upstream,
    as,
    effect: effectOf(terms, tool),
    description: null,
    errorFeedback,
    inspectionCapture,
    isInline,
    isModelVisible,
  };
}

function effectOf({ effect }: ToolTerms, tool: UpstreamTool | undefined): Effect {
  if (effect !== 'annotations') return effect;
  return tool?.isReadOnly === true ? 'read' : 'write';
}

/** What a person reads about a catalogue that cannot be mapped. */
export function mappingFaultWords(fault: Exclude<MappingFault, { readonly kind: 'missing' }>): string {
  switch (fault.kind) {
    case 'collision': {
      const [first, second] = fault.upstream.map((name) => JSON.stringify(name));
      return `the tools ${first} and ${second} would both be called ${fault.as}: give one of them a row of its own with another "as"`;
    }
    case 'unusable': {
      const why =
        fault.as === null
          ? 'gives no name that programs can use'
          : `would be called ${fault.as}, a name that is reserved`;
      return `the tool ${JSON.stringify(fault.upstream)} ${why}: give it a row of its own with an "as"`;
    }
  }
}
