/**
 * Help, documentation, completion, manual and schemas come from one table each: whatever lists its names again is found
 * here.
 */
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { parse } from 'acorn';
import { expect } from 'chai';
import { COMMANDS, COMMAND_NAMES } from '../../declaration/table.ts';
import { DIAGNOSTIC_CODES } from '../../../contract/diagnostics/catalogue.ts';
import { DOCS_PAGES } from '../../../contract/envelope/docs-pages.ts';
import { LIMITS } from '../../../contract/limits/catalogue.ts';
import { fieldRows } from '../../../supervisor/documents/fields/field-rows.ts';
import { GATEWAY } from '../../../supervisor/documents/gateway/fields.ts';
import { HOST } from '../../../supervisor/documents/host/fields.ts';
import { MANIFEST } from '../../../supervisor/documents/manifest/fields.ts';
import { PROJECT } from '../../../supervisor/documents/project/fields.ts';

const root = join(import.meta.dirname, '../../..');
/** Names of a table that stand together, beyond which they are a list of their own. */
const FEW = 4;
/** Of the members of a list, so many have to be of the table. */
const SHARE = 0.6;

const fieldNames = [MANIFEST, PROJECT, HOST, GATEWAY]
  .flatMap((shape) => fieldRows(shape).map(({ field }) => field))
  .filter((field) => field.includes('.'));
const TABLES: Readonly<Record<string, ReadonlySet<string>>> = {
  commands: new Set(COMMAND_NAMES),
  options: new Set(Object.values(COMMANDS).flatMap(({ options }) => options.map(({ name }) => name))),
  codes: new Set(DIAGNOSTIC_CODES),
  limits: new Set(LIMITS.map(({ name }) => name)),
  pages: new Set(DOCS_PAGES),
  fields: new Set(fieldNames),
};

/**
 * Lists that there may be, and why. Each is a part with a meaning of its own (which faults of acquiring there are,
 * which limits a session has); what is keyed by all names is held complete by the compiler.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  'adapters/mcp/oauth/page.ts': 'what a browser is told of each end of a sign-in',
  'contract/envelope/docs-pages.ts': 'the table of pages',
  'cli/documentation/tree.ts': 'where each page is',
  'cli/declaration/table.ts': 'the table of commands, keyed by their names',
  'cli/commands/load.ts': 'how each command is loaded; the compiler wants every name',
  'contract/envelope/types.ts': 'the envelopes of interface.md, in its order',
  'contract/envelope/results.ts': 'the result of each command that has one',
  'contract/envelope/schema/results.ts': 'the shape of each such result',
  'cli/ending/failure-envelope.ts': 'one branch for each envelope of the union',
  'cli/streams/result-text.ts': 'how results of some commands are shown',
  'contract/diagnostics/codes.ts': 'the table of codes',
  'contract/envelope/doctor.ts': 'codes of the rows of doctor, stage by stage',
  'cli/streams/doctor-table.ts': 'words for rows of doctor',
  'contract/provider-protocol/checks.ts': 'codes of the checks of a provider',
  'contract/provider-protocol/session.ts': 'codes of acquiring',
  'adapters/mcp/oauth/declaration.ts': 'codes of an authorisation',
  'supervisor/providers/source/installed-provider.ts': 'codes of an authorisation',
  'supervisor/providers/custom/outcome.ts': 'codes of acquiring what an embedding program brings',
  'supervisor/evidence/publication/protocol.ts': 'codes of publishing',
  'supervisor/application/preflight/compile-faults.ts': 'codes of compiling',
  'contract/diagnostics/messages/limits.ts': 'what is said of each exceeded limit',
  'supervisor/code/room/session-application.ts': 'limits of a session of programs (code-mode.md §1)',
  'supervisor/authoring/initialize/schema-files.ts': 'which files an editor holds against which schema',
  'supervisor/session/profiles/contract.ts': 'limits of an analysis session',
  'supervisor/evidence/live/observer.ts': 'limits that a frame of a live run shows (evidence.md §10)',
  'supervisor/run/mission-texts/mission-texts.ts': 'limits that a model is told',
  'scripts/pages.ts': 'which pages are made by which script',
};
/** What one table is written in: a file for each phase, or each command. */
const PARTS =
  /^(?:contract\/diagnostics\/(?:phases|remedies)|contract\/limits|cli\/declaration\/commands|supervisor\/documents\/[a-z]+)\//;

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const textsOf = (node: unknown): readonly string[] =>
  isNode(node) && node['type'] === 'Literal' && typeof node['value'] === 'string' ? [node['value']] : [];
const nodes = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The name that an element of an array begins with: itself, the first of a row, its `name` or `code`. */
function elementNames(element: unknown): readonly string[] {
  if (!isNode(element)) return [];
  if (element['type'] === 'ArrayExpression') return textsOf(nodes(element['elements'])[0]);
  if (element['type'] !== 'ObjectExpression') return textsOf(element);
  return nodes(element['properties'])
    .filter(isNode)
    .flatMap(({ key, value }) =>
      isNode(key) && (key['name'] === 'name' || key['name'] === 'code') ? textsOf(value) : [],
    );
}

/** Every list of words in a program: members of arrays, keys of objects, cases, unions. */
function listsOf(source: string): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [...source.matchAll(/'[^'\n]+'(?:\s*\|\s*'[^'\n]+')+/g)].map(([union]) =>
    [...union.matchAll(/'([^']+)'/g)].map(([, word = '']) => word),
  );
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    if (value['type'] === 'ArrayExpression') found.push(nodes(value['elements']).flatMap(elementNames));
    if (value['type'] === 'ObjectExpression')
      found.push(
        nodes(value['properties'])
          .filter(isNode)
          .flatMap(({ computed, key }) =>
            computed === true || !isNode(key)
              ? []
              : [key['name'], key['value']].filter((name) => typeof name === 'string'),
          ),
      );
    if (value['type'] === 'SwitchStatement')
      found.push(
        nodes(value['cases'])
          .filter(isNode)
          .flatMap(({ test }) => textsOf(test)),
      );
    for (const child of Object.values(value)) if (typeof child === 'object') visit(child);
  };
  visit(parse(stripTypeScriptTypes(source), { ecmaVersion: 'latest', sourceType: 'module' }));
  return found;
}

/** Which tables a program lists again. */
function tablesListedIn(source: string): readonly string[] {
  const lists = listsOf(source).map((list) => [...new Set(list)]);
  return Object.entries(TABLES)
    .filter(([, names]) =>
      lists.some((list) => {
        const known = list.filter((word) => names.has(word)).length;
        return known > FEW && known >= SHARE * list.length;
      }),
    )
    .map(([table]) => table);
}

describe('names of the program', () => {
  it('are listed in one place, or where there is a reason', () => {
    const files = globSync('{cli,contract,system,supervisor,adapters,sandbox,scripts,viewer}/**/*.{ts,tsx}', {
      cwd: root,
    }).filter((file) => !/\.test\.ts$|\.d\.ts$|\/testing\/|^[a-z]+\/test\//.test(file) && !PARTS.test(file));
    const listing = files
      .filter((file) => file.endsWith('.ts'))
      .filter((file) => tablesListedIn(readFileSync(join(root, file), 'utf8')).length > 0);
    expect(
      listing.filter((file) => ALLOWED[file] === undefined),
      'lists of names that stand in a table',
    ).to.deep.equal([]);
    expect(
      Object.keys(ALLOWED).filter((file) => !listing.includes(file)),
      'lists that are no more',
    ).to.deep.equal([]);
  });

  for (const [how, source] of Object.entries({
    'an array': `const a = ['run', 'validate', 'doctor', 'models', 'prune'];`,
    rows: `const a = [['run', 1], ['validate', 2], ['doctor', 3], ['models', 4], ['prune', 5]];`,
    objects: `const a = [{ name: 'run' }, { name: 'validate' }, { name: 'doctor' }, { name: 'models' }, { name: 'prune' }];`,
    keys: `const a: Record<string, number> = { run: 1, validate: 2, doctor: 3, models: 4, 'prune': 5 };`,
    cases: `switch (a) { case 'run': case 'validate': case 'doctor': case 'models': case 'prune': b(); }`,
    'a union': `type A = 'run' | 'validate' | 'doctor' | 'models' | 'prune';`,
  }))
    it(`are found where they are listed again as ${how}`, () => {
      expect(tablesListedIn(source)).to.deep.equal(['commands']);
    });

  it('may stand beside each other where they are few, or few of many', () => {
    expect(tablesListedIn(`const a = ['run', 'validate', 'doctor', 'models'];`)).to.deep.equal([]);
    expect(
      tablesListedIn(`const a = ['run', 'validate', 'doctor', 'models', 'prune', 'a', 'b', 'c', 'd'];`),
    ).to.deep.equal([]);
  });
});
