import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { toolDefinitions } from '../../code/serve/definitions.ts';
import type { StartFault } from '../start/codes.ts';
import type { CodeOffer } from '../start/options.ts';
import { serverMeta, type Passed } from '../start/stages.ts';
import { ASKS, renderToolCatalogue, type RenderedToolCatalogue, type ToolEntry } from '../tools/catalogue.ts';

/** A configured tool that is offered as three. */
export interface OfferedCode {
  readonly tool: Passed;
  readonly mission: string;
}

/** The three, as a client names them. */
export const CODE_TOOLS = ['search', 'describe', 'run'] as const;
export type CodeToolName = (typeof CODE_TOOLS)[number];

const DEFAULT_MISSION = 'default';
/** Characters of a name of a tool, and of what its operator says of it. */
const NAME_LENGTH = 128;
const DESCRIPTION = 300;

/** Stage 4 of gateway.md §1: which tools are offered so, or why they cannot be. */
export function offeredCode(
  offers: readonly CodeOffer[],
  passed: readonly Passed[],
):
  | { readonly ok: true; readonly offered: readonly OfferedCode[] }
  | { readonly ok: false; readonly fault: StartFault } {
  const offered: OfferedCode[] = [];
  const names = passed.map(({ declared }) => declared.name);
  for (const { tool: name, mission: requested } of offers) {
    const refused = (code: StartFault['code'], cause: string, detail: string) =>
      ({ ok: false, fault: { tool: name, code, why: { cause, pointer: null, detail } } }) as const;
    const tool = passed.find(({ declared }) => declared.name === name);
    if (tool === undefined)
      return refused(
        'config_invalid',
        'code_tool_unknown',
        `--code ${name}: the configuration has no tool of this name; it has ${names.join(', ')}`,
      );
    if (offered.some((other) => other.tool === tool))
      return refused('config_invalid', 'code_tool_twice', `--code ${name}: it is given twice`);
    const { missions } = tool.checked;
    const [only] = missions;
    const mission = requested ?? (missions.length === 1 ? only : undefined) ?? DEFAULT_MISSION;
    if (!missions.includes(mission))
      return refused(
        'template_invalid',
        'code_mission_unknown',
        missions.length === 0
          ? `--code ${name}: its application declares no mission`
          : `--code ${name}: its application declares ${missions.join(', ')}; choose one as --code ${name}:MISSION`,
      );
    const conflict = CODE_TOOLS.map((each) => `${name}.${each}`).find(
      (each) => each.length > NAME_LENGTH || names.includes(each),
    );
    if (conflict !== undefined)
      return refused(
        'config_invalid',
        'code_name_taken',
        `--code ${name}: ${conflict} is the name of another tool, or longer than ${NAME_LENGTH} characters`,
      );
    offered.push({ tool, mission });
  }
  return { ok: true, offered };
}

/** The list's entries of one. */
function codeEntries({ tool: { declared, checked } }: OfferedCode): readonly ToolEntry[] {
  const { name, title, description } = declared;
  const { application } = checked.tool;
  const identity = new Map<string, JsonValue>([
    ['application_content_digest', application.contentDigest],
    ['effective_application_digest', application.effectiveDigest],
  ]);
  return toolDefinitions(application.effect === 'read', true).flatMap((definition): readonly ToolEntry[] => {
    if (!isJsonObject(definition)) return [];
    const own = definition.get('name');
    const said = definition.get('description');
    if (typeof own !== 'string' || typeof said !== 'string') return [];
    const about =
      own === 'search' ? `${said} What there is: ${description.slice(0, DESCRIPTION).toWellFormed()}` : said;
    const entry = new Map<string, JsonValue>([
      ...definition,
      ['name', `${name}.${own}`],
      ['title', `${title}: ${own}`],
      ['description', about],
      [
        '_meta',
        new Map<string, JsonValue>([...(application.asks && own === 'run' ? [ASKS] : []), ['svc/identity', identity]]),
      ],
    ]);
    return [{ name: `${name}.${own}`, text: canonicalJson(entry), headers: [] }];
  });
}

/** Stage 4; null: it is too large. */
export function catalogueOfTools(
  passed: readonly Passed[],
  offered: readonly OfferedCode[],
  version: string,
): RenderedToolCatalogue | null {
  const plain = passed.filter((tool) => !offered.some((code) => code.tool === tool));
  return renderToolCatalogue(
    [...plain.map(({ checked }) => checked.tool.entry), ...offered.flatMap(codeEntries)],
    serverMeta(version),
  );
}
