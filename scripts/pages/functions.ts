/** The function reference: each form and function with its parameters, what it does, and an example. */
import { EXTENSIONS } from '../../sandbox/runtime/builtins/areas.ts';
import { formEntries } from '../../sandbox/language/link/form-docs.ts';
import { newSession } from '../../sandbox/language/link/new-session.ts';
import { examples, type Example } from './examples.ts';

/** Namespaces whose names programs write bare. */
const BARE = new Set(['clojure.core', EXTENSIONS]);
const FORMS = 'Forms and macros';
/** Behind a parameter that may be left out. */
const MARK = '?';
const OPTIONAL = /\?$/;

export interface Documented {
  readonly name: string;
  readonly section: string;
  /** The ways to call it. */
  readonly shapes: readonly string[];
  readonly doc: string;
}

/** In the order of the page. */
export function documented(): readonly Documented[] {
  const forms = formEntries().map(({ name, shapes, doc }) => ({ name, section: FORMS, shapes, doc: doc ?? '' }));
  const functions = newSession()
    .builtins.values()
    .map(({ name: qualified, area, parameters, doc }) => {
      const slash = qualified.indexOf('/');
      const [namespace, local] = [qualified.slice(0, slash), qualified.slice(slash + 1)];
      const name = BARE.has(namespace) ? local : qualified;
      const section = BARE.has(namespace) ? `${area.slice(0, 1).toUpperCase()}${area.slice(1)}` : namespace;
      return { name, section, shapes: shapesOf(name, parameters), doc };
    });
  return [...forms, ...functions];
}

function shapesOf(name: string, parameters: string | null): readonly string[] {
  if (parameters === null) return [name];
  const lists = parameters.startsWith('(') ? topLevelVectors(parameters) : parameters.split('|');
  return joined(lists.map(partsOf)).map((parts) => `(${[name, ...parts].join(' ')})`);
}

/** Calls of which one goes on where the one before ends become one, with optional parameters: `x y?`. */
function joined(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return lists.reduce<readonly (readonly string[])[]>((found, list) => {
    const before = found.at(-1);
    const plain = before?.map((part) => part.replace(OPTIONAL, ''));
    const goesOn =
      before !== undefined &&
      plain !== undefined &&
      plain.length < list.length &&
      plain.every((part, at) => part === list[at]);
    if (!goesOn) return [...found, list];
    const further = list.slice(before.length);
    const isRest = further.includes('&');
    return [...found.slice(0, -1), [...before, ...further.map((part) => (isRest ? part : `${part}${MARK}`))]];
  }, []);
}

/** The parameters of a vector; those of a pattern stay together. */
function partsOf(list: string): readonly string[] {
  let depth = 0;
  let [found, part]: [readonly string[], string] = [[], ''];
  for (const character of `${list.trim()} `) {
    if ('[{('.includes(character)) depth += 1;
    if (']})'.includes(character)) depth -= 1;
    if (character !== ' ' || depth > 0) part += character;
    else {
      if (part !== '') found = [...found, part];
      part = '';
    }
  }
  return found;
}

/** What is in the outer brackets of `([a [b c]] [a])`. */
function topLevelVectors(text: string): readonly string[] {
  const found: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '[') {
      depth += 1;
      if (depth === 1) from = at + 1;
    } else if (character === ']') {
      depth -= 1;
      if (depth === 0) found.push(text.slice(from, at));
    }
  }
  return found;
}

function entry({ name, shapes, doc }: Documented, example: Example | undefined): string {
  if (example === undefined)
    throw new Error(`no example of ${name}: add one to conformance/language/expressions/reference.clj`);
  const inLine = [...shapes, example.source, example.value];
  const isShort = example.prints.length === 0 && !inLine.some((text) => /[`\n]/.test(text));
  const prints = example.prints.map((line) => `; prints ${line}`.trimEnd());
  return [
    `### ${name}`,
    '',
    `${shapes.map((shape) => inCode(shape)).join(' ')}: ${doc}`,
    '',
    ...(isShort
      ? [`${inCode(example.source)} → ${inCode(example.value)}`]
      : ['```clojure', example.source, ...prints, `;=> ${example.value}`, '```']),
    '',
  ].join('\n');
}

/** Text that may itself have a backquote. */
const inCode = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

/** The whole page. A name without an example, and an example of no name, fail. */
export function functionsPage(): string {
  const all = documented();
  const shown = examples();
  const strange = [...shown.keys()].filter((name) => !all.some((item) => item.name === name));
  if (strange.length > 0) throw new Error(`examples of what is not there: ${strange.join(', ')}`);
  const sections = [...new Set(all.map(({ section }) => section))];
  return [
    '# Function reference',
    '',
    `The ${all.length} forms and functions of svc-lisp, each with its calls, what it does, and an example with its value, which is that of Clojure where Clojure has the function. A parameter \`x?\` may be left out. \`(doc NAME)\` and \`(apropos "text")\` show the same in a session. See also [Differences from Clojure](conformance-gaps.md).`,
    '',
    ...sections.flatMap((section) => [
      `## ${section}`,
      '',
      ...all.filter((item) => item.section === section).map((item) => entry(item, shown.get(item.name))),
    ]),
  ].join('\n');
}
