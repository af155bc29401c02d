import { canonicalJson } from '../../../contract/json/canonical.ts';
import { valueOf, type JsonMember, type ObjectNode } from '../../../contract/json/node.ts';
import { documentLimits, parseJson } from '../../../contract/json/parse.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';

/** The three pins of a tool, by the names of their members (documents.md §8). */
export interface ToolPins {
  readonly expected_application_content_digest: string;
  readonly installation_config_pins: Readonly<Record<string, string>>;
  readonly provider_snapshot_pins: Readonly<Record<string, string>>;
}

/** A gateway document with its pins in place, and the tools that had others. */
export interface PinnedText {
  readonly text: string;
  readonly changed: readonly string[];
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Puts pins into the text of a gateway document and leaves every other byte as it is: a pin that is right already, too.
 * Missing ones come behind the last member of their tool. Null where the text is no document of these tools.
 */
export function writePinsInto(bytes: Uint8Array, pins: ReadonlyMap<string, ToolPins>): PinnedText | null {
  const parsed = parseJson(bytes, documentLimits(MAX_BYTES.gateway));
  if (!parsed.ok || parsed.root.kind !== 'object') return null;
  const tools = memberOf(parsed.root, 'tools')?.value;
  if (tools?.kind !== 'array') return null;
  const edits: Edit[] = [];
  const changed: string[] = [];
  for (const tool of tools.items) {
    if (tool.kind !== 'object') return null;
    const name = memberOf(tool, 'name')?.value;
    const own = name?.kind === 'string' ? pins.get(name.value) : undefined;
    if (name?.kind !== 'string' || own === undefined) return null;
    const found = editsOf(bytes, tool, own);
    if (found.length > 0) changed.push(name.value);
    edits.push(...found);
  }
  let written = Buffer.from(bytes);
  // From behind, so that the places before stay where they are.
  for (const { from, to, text } of edits.toSorted((left, right) => right.from - left.from))
    written = Buffer.concat([written.subarray(0, from), Buffer.from(text), written.subarray(to)]);
  return { text: written.toString('utf8'), changed };
}

function editsOf(bytes: Uint8Array, tool: ObjectNode, pins: ToolPins): readonly Edit[] {
  const edits: Edit[] = [];
  const added: string[] = [];
  const before = layoutOf(bytes, tool);
  for (const [key, wanted] of Object.entries(pins)) {
    const member = memberOf(tool, key);
    if (member === null) added.push(`${before}${canonicalJson(key)}: ${pinText(wanted, before)}`);
    else if (canonicalJson(valueOf(member.value)) !== pinText(wanted, null))
      edits.push({ from: member.value.start, to: member.value.end, text: pinText(wanted, before) });
  }
  const last = tool.members.at(-1);
  if (added.length > 0 && last !== undefined)
    edits.push({ from: last.value.end, to: last.value.end, text: added.map((text) => `,${text}`).join('') });
  return edits;
}

function memberOf(object: ObjectNode, key: string): JsonMember | null {
  return object.members.find((member) => member.key === key) ?? null;
}

/** What is before a member of an object: a line feed and blanks where each has a line of its own. */
function layoutOf(bytes: Uint8Array, { start, members: [first] }: ObjectNode): string {
  const between = first === undefined ? '' : Buffer.from(bytes.subarray(start + 1, first.keyStart)).toString('utf8');
  return between === '' ? ' ' : between;
}

/** A pin as its neighbours are written; null: in canonical form. */
function pinText(pin: string | Readonly<Record<string, string>>, before: string | null): string {
  if (typeof pin === 'string') return canonicalJson(pin);
  const rows = Object.entries(pin)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, digest]) => [canonicalJson(key), canonicalJson(digest)] as const);
  if (before === null) return `{${rows.map(([key, digest]) => `${key}:${digest}`).join(',')}}`;
  if (rows.length === 0) return '{}';
  if (!before.includes('\n')) return `{${rows.map(([key, digest]) => `${key}: ${digest}`).join(', ')}}`;
  const inner = `${before}${before.includes('\t') ? '\t' : '  '}`;
  return `{${rows.map(([key, digest]) => `${inner}${key}: ${digest}`).join(',')}${before}}`;
}
