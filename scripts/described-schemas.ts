/**
 * The published schemas of the documents with what each member means, so that editors explain them: the words are those
 * of the reference pages (pages/templates), which have to tell of every field.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../contract/limits/catalogue.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../contract/json/value.ts';

type Meanings = ReadonlyMap<string, string>;

/** Where in a document one is: by which words its fields are told, and from which field on. */
interface Place {
  readonly words: readonly string[];
  readonly at: string;
}

const OVERRIDE: Readonly<Record<string, string>> = {
  target: 'Which component is replaced: of the workflow, or of one mission.',
  'target.environment': 'workflow or mission.',
  'target.mission': 'Name of the mission.',
  component_id: 'Id of the component, also of a library.',
  base_source_hash: 'SHA-256 of the source that is replaced.',
  source_hash: 'SHA-256 of the candidate.',
  path: 'The candidate, below the folder of this file.',
  provenance: 'Where it comes from; not checked, and in no identity.',
  'provenance.run_id': 'The run that wrote it.',
  'provenance.prompt_hash': 'SHA-256 of the prompt that it was written for.',
  'provenance.authored_at': 'When it was written, RFC 3339 in UTC.',
  'provenance.accept_widened_effect': 'Whether it may have an effect that the replaced source had not.',
};

const TESTS: Readonly<Record<string, string>> = {
  name: 'Names the case on the command line and in reports; no two cases of an application have the same.',
  input: 'The input of the run; without it, the input that the application declares.',
  input_file: 'In its place, a file that holds it.',
  fixtures:
    'Recorded answers that the models of this case give, or a host document that installs such; written by svc test --record.',
  live: 'The case is run against the real models, and only with svc test --live.',
  expect: 'What the run has to come to: every member holds, or the case fails. Without any the run has to succeed.',
  'expect.value': 'The value of the run.',
  'expect.matches': 'As much of the value as is written: further members of objects may be there.',
  'expect.schema': 'A JSON Schema, as in contracts, that the value fits.',
  'expect.error': 'The code of the error that the run ends with.',
  'expect.program':
    'svc-lisp, (fn [result run] …), which gives true, or a map of scores from 0 to 1; evaluated in the sandbox.',
  'expect.max_cost_usd': 'Dollars that the run may cost.',
  'expect.max_turns': 'Turns that the agents of the run may take together.',
  repeat: 'How often a live case is run.',
  model: 'An alias of the host document, or a selector: the model of this case in place of those that are installed.',
  tags: 'Words by which the command line chooses cases.',
};

/** Of documents whose words no page has. */
const OWN_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'component-override': OVERRIDE,
  tests: TESTS,
};

/** Lines `field: meaning` of the blocks of a page, by the words before them: `llm model`. */
function meaningsOf(page: string): Meanings {
  const text = readFileSync(join(import.meta.dirname, 'pages/templates', `${page}.md`), 'utf8');
  return new Map(
    [...text.matchAll(/^\{\{fields (\S+)\n(.*?)^\}\}$/gms)].flatMap(([, words = '', block = '']) =>
      block
        .trimEnd()
        .split('\n')
        .map((line): [string, string] => {
          const colon = line.indexOf(': ');
          return [`${words} ${line.slice(0, colon)}`, plain(line.slice(colon + 2))];
        }),
    ),
  );
}

/** Links are for pages. */
function plain(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\(([a-z-]+)\.md[^)]*\)/g, '$1 (svc docs $2)');
}

const LIMIT_WORDS = new Map<string, string>(LIMITS.map(({ name, doc }) => [name, doc]));

/** The same schemas, each member with its title and its description. Throws for a member that nothing is said of. */
export function describedSchemas(schemas: Readonly<Record<string, JsonObject>>): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const own = OWN_WORDS[name];
      const meanings =
        own === undefined
          ? meaningsOf(name)
          : new Map(Object.entries(own).map(([field, text]) => [`${name} ${field}`, text]));
      return [name, described(schema, { words: [name], at: '' }, meanings)];
    }),
  );
}

function described(schema: JsonObject, place: Place, meanings: Meanings): JsonObject {
  return new Map(
    [...schema].map(([keyword, value]): [string, JsonValue] => {
      if (keyword === 'properties' && isJsonObject(value))
        return [
          keyword,
          new Map(
            [...value].map(([name, member]) => [
              name,
              isJsonObject(member) ? memberOf(name, member, place, meanings) : member,
            ]),
          ),
        ];
      if (keyword === 'items' && isJsonObject(value))
        return [keyword, described(value, { ...place, at: place.at === '' ? '' : `${place.at}[]` }, meanings)];
      if (keyword === 'additionalProperties' && isJsonObject(value))
        return [keyword, described(value, { ...place, at: place.at === '' ? '*' : `${place.at}.*` }, meanings)];
      if (keyword === 'oneOf' && isJsonArray(value))
        return [
          keyword,
          value.map((branch) => (isJsonObject(branch) ? described(branch, branchOf(branch, place), meanings) : branch)),
        ];
      return [keyword, value];
    }),
  );
}

function memberOf(name: string, member: JsonObject, { words, at }: Place, meanings: Meanings): JsonObject {
  const field = at === '' ? name : `${at}.${name}`;
  const description =
    words.map((word) => meanings.get(`${word} ${field}`)).find((text) => text !== undefined) ??
    LIMIT_WORDS.get(name) ??
    (name === '$schema' ? 'Names this schema, for editors.' : undefined);
  if (description === undefined) throw new Error(`nothing is said of ${field} (${words.join(', ')})`);
  // What is told in a table of its own begins anew there.
  const isReported = name === 'oauth' && (words.includes('http') || words.includes('openapi'));
  const below: Place = isReported ? { words: ['oauth'], at: '' } : { words, at: field };
  return new Map<string, JsonValue>([
    ['title', titleOf(name)],
    ['description', description],
    ...described(member, below, meanings),
  ]);
}

/** How names are spelled that are no words. */
const SPELLED: Readonly<Record<string, string>> = {
  llm: 'LLM',
  mcp: 'MCP',
  oauth: 'OAuth',
  id: 'ID',
  ids: 'IDs',
  uri: 'URI',
  url: 'URL',
  usd: 'USD',
  ms: 'milliseconds',
  microusd: 'microdollars',
  env: 'environment',
  config: 'configuration',
  dir: 'directory',
};

/** The name of a member as words: `run_duration_ms` is `Run duration milliseconds`. */
export function titleOf(name: string): string {
  const words = name
    .replace(/^\$/, '')
    .split(/[_-]/)
    .map((word) => SPELLED[word] ?? word)
    .join(' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Forms of an installation, and of a transport, have tables of their own. */
function branchOf(branch: JsonObject, place: Place): Place {
  const properties = branch.get('properties');
  const constant = (name: string): JsonValue | undefined => {
    const member = isJsonObject(properties) ? properties.get(name) : undefined;
    if (!isJsonObject(member)) return undefined;
    const several = member.get('enum');
    return isJsonArray(several) ? several[0] : member.get('const');
  };
  const source = constant('source');
  if (place.at === 'install.*' && typeof source === 'string') return { words: [source, 'common'], at: '' };
  if (place.at === 'transport') return { words: [constant('type') === 'stdio' ? 'stdio' : 'http'], at: '' };
  return place;
}
