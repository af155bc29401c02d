/**
 * What a person reads who mistypes: an option of a command, or a field of a document.
 *
 *     node scripts/collect-texts.ts [options] [fields] [scenes] [manifest] [project] [host] [gateway] [cases]
 *
 * A table for reading, which nothing compares: is the mistake named, its place, and what was meant? `fields` has every
 * member and every named value of every document, with a letter left out and with two swapped, and is made in this
 * process. The documents under their names, and the scenes of a first day, are read by the built program.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { COMMANDS, COMMAND_NAMES } from '../cli/declaration/table.ts';
import { argumentDiagnostic } from '../cli/parser/diagnose.ts';
import { parseArguments } from '../cli/parser/parse.ts';
import { mistypings } from '../contract/names/testing/mistypings.ts';
import { TABLES, faultsOf, mistypedDocuments } from '../supervisor/documents/testing/mistyped-documents.ts';
import { DOCUMENTS, BASE_FILES, FILE_NAMES } from '../conformance/documents/base.ts';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const RUN_REF = / \(run_ref: cmd-[0-9a-z]{26}\)/g;

/** The last letter but one is missing: the commonest slip that makes another word. */
function mistyped(name: string): string {
  return name.length < 3 ? `${name}x` : name.slice(0, -2) + name.slice(-1);
}

function optionTexts(): readonly (readonly [what: string, text: string])[] {
  return COMMAND_NAMES.flatMap((command) =>
    COMMANDS[command].options.flatMap(({ name, value, repeatable }) => {
      const input = value === undefined ? [name] : [name, 'x'];
      const lines = [
        [command, mistyped(name)],
        ...(repeatable === undefined ? [[command, ...input, ...input]] : []),
        ...(value === undefined
          ? [[command, `${name}=x`]]
          : [
              [command, name],
              [command, `${name}=`],
            ]),
      ];
      return lines.map((line) => [line.join(' '), argumentText(line)] as const);
    }),
  );
}

function argumentText(line: readonly string[]): string {
  const invocation = parseArguments(line, { workingDirectory: '/tmp', isUtf8: true });
  if (invocation.kind !== 'rejected') return '(accepted)';
  const { fault, hint } = invocation.rejection;
  return `${argumentDiagnostic(fault).message}; ${hint ?? '(no hint)'}`;
}

/** The first fault of each document in which a name lacks its last letter but one, or has its first two swapped. */
function fieldTexts(): readonly (readonly [what: string, text: string])[] {
  return Object.entries(TABLES).flatMap(([title, shape]) =>
    mistypedDocuments(shape)
      .filter(({ name, typed }) => typed === mistyped(name) || typed === mistypings(name).at(name.length))
      .map(({ above, name, typed, document }) => {
        const [fault] = faultsOf(shape, document);
        const text =
          fault === undefined ? '(accepted)' : `${fault.at.join('/')}: ${fault.problem ?? ''}; ${fault.remedy ?? ''}`;
        return [`${title} /${[...above, name].join('/')} -> ${typed}`, text] as const;
      }),
  );
}

interface Target {
  /** The folder in which everything else is in order. */
  readonly layOut: (directory: string) => void;
  readonly file: string;
  readonly argv: readonly string[];
}

function layOutBase(directory: string): void {
  const documents = Object.entries(DOCUMENTS).map(([name, document]) => {
    const file = Object.entries(FILE_NAMES).find(([known]) => known === name)?.[1] ?? name;
    return [file, JSON.stringify(document, null, 2)] as const;
  });
  for (const [path, text] of [...Object.entries(BASE_FILES), ...documents]) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

const CASE = {
  $schema: 'urn:svc:schema:tests:1',
  name: 'sums',
  input: { name: 'a' },
  repeat: 1,
  tags: ['quick'],
  expect: { value: { name: 'a' }, max_turns: 3, max_cost_usd: 1 },
};
const TARGETS: Readonly<Record<string, Target>> = {
  manifest: { layOut: layOutBase, file: 'svc.json', argv: ['validate', 'svc.json', '--host-config', 'host.json'] },
  project: { layOut: layOutBase, file: 'project.json', argv: ['validate', 'project.json'] },
  host: { layOut: layOutBase, file: 'host.json', argv: ['validate', 'svc.json', '--host-config', 'host.json'] },
  gateway: {
    layOut: (directory) => cpSync(join(root, 'examples/gateway'), directory, { recursive: true }),
    file: 'gateway.json',
    argv: ['gateway', 'gateway.json', '--check'],
  },
  cases: {
    layOut: (directory) => {
      layOutBase(directory);
      mkdirSync(join(directory, 'tests'));
      writeFileSync(join(directory, 'tests/cases.json'), JSON.stringify(CASE, null, 2));
    },
    file: 'tests/cases.json',
    argv: ['test', 'project.json'],
  },
};

/** Each member of a document, as a copy in which its name is mistyped. */
function renamings(value: unknown, place: string): readonly (readonly [place: string, document: unknown])[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, at) =>
      renamings(item, `${place}/${at}`).map(([below, changed]) => [below, value.with(at, changed)] as const),
    );
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value);
  return members.flatMap(([name, inner], at) => [
    [`${place}/${name}`, Object.fromEntries(members.with(at, [mistyped(name), inner]))] as const,
    ...renamings(inner, `${place}/${name}`).map(
      ([below, changed]) => [below, Object.fromEntries(members.with(at, [name, changed]))] as const,
    ),
  ]);
}

async function documentTexts({ layOut, file, argv }: Target): Promise<readonly (readonly [string, string])[]> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-texts-'));
  try {
    layOut(directory);
    const document: unknown = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    const rows: (readonly [string, string])[] = [];
    for (const [place, changed] of [['(as it is)', document] as const, ...renamings(document, '')]) {
      writeFileSync(join(directory, file), JSON.stringify(changed, null, 2));
      rows.push([place, await stderrOf(argv, directory)]);
    }
    return rows;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function stderrOf(argv: readonly string[], cwd: string): Promise<string> {
  const options = { cwd, env: { ...process.env, GATEWAY_TOKEN: 'x'.repeat(32) } };
  const { stderr } = await run(join(root, 'bin/svc'), [...argv], options).catch((error: unknown) => {
    if (error instanceof Error && 'stderr' in error) return { stderr: String(error.stderr) };
    throw error;
  });
  return stderr === '' ? '(accepted)' : stderr.trimEnd().replaceAll(RUN_REF, '');
}

/** What goes wrong on a first day: command lines, and files beside those of the base. */
const SCENES: readonly (readonly [argv: readonly string[], files?: Readonly<Record<string, string>>])[] = [
  [['rnu', 'svc.json']],
  [['run']],
  [['run', 'svc.jsn']],
  [['run', 'main.clj']],
  [['run', 'svc.json', '--input', 'none.json']],
  [['run', 'svc.json', '--host-config', 'hots.json']],
  [['validate', 'empty.json'], { 'empty.json': '' }],
  [['validate', 'comma.json'], { 'comma.json': '{"version": 1,}' }],
  [['validate', 'project.json', '--host-config', 'host.json']],
  [['test', 'project.json']],
  [['test', 'project.json', 'sums'], { 'tests/cases.json': JSON.stringify(CASE) }],
  [['test', 'project.json', 'smus'], { 'tests/cases.json': JSON.stringify(CASE) }],
  [['materialize', 'svc.json', '--workflow', '--component', 'mian', '--source-out', 'out.clj']],
  [['gateway', 'gatway.json'], { 'gateway.json': '{}' }],
  [['gateway', 'gateway.json'], { 'gateway.json': '{"version": 1}' }],
  [['doctor', 'svc.json', '--host-config', 'host.json']],
  [['runs', 'project.json']],
  [['explain', 'latest', '--project', 'project.json']],
  [['transcript', 'latest-failed', '--project', 'project.json']],
  [['fixtures', 'record', 'latest', '--project', 'project.json']],
  [['repl', '-e', '(pritnln 1)']],
  [['docs', 'quikstart']],
  [['init', 'nothing-like-it', 'there']],
];

async function sceneTexts(): Promise<readonly (readonly [string, string])[]> {
  const rows: (readonly [string, string])[] = [];
  for (const [argv, files = {}] of SCENES) {
    const directory = mkdtempSync(join(tmpdir(), 'svc-texts-'));
    try {
      layOutBase(directory);
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, path)), { recursive: true });
        writeFileSync(join(directory, path), text);
      }
      rows.push([`svc ${argv.join(' ')}`, (await stderrOf(argv, directory)).replaceAll(directory, '.')]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  return rows;
}

function print(title: string, rows: readonly (readonly [string, string])[]): void {
  const lines = rows.map(([what, text]) => `- \`${what}\`\n${text.replaceAll(/^/gm, '      ')}`);
  process.stdout.write(`# ${title}\n\n${lines.join('\n')}\n\n`);
}

const requested = process.argv.slice(2);
const isRequested = (name: string): boolean => requested.length === 0 || requested.includes(name);
if (isRequested('options')) print('options', optionTexts());
if (isRequested('fields')) print('fields', fieldTexts());
if (isRequested('scenes')) print('scenes', await sceneTexts());
for (const [name, target] of Object.entries(TARGETS)) if (isRequested(name)) print(name, await documentTexts(target));
