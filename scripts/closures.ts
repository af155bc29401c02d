/**
 * Ends with 1, and lists them, when a long function holds closures over many variables of its own: what changes by
 * events belongs into a pure machine, what has a life into a class with private fields.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  parseSync,
  Visitor,
  type ArrowFunctionExpression,
  type BindingPattern,
  type BindingProperty,
  type BindingRestElement,
  type Function as DeclaredFunction,
  type PropertyKey,
} from 'oxc-parser';

const root = join(import.meta.dirname, '..');
/** A function that holds closures may have more of one of them, and not of both. */
const MOST_VARIABLES = 3;
const MOST_LINES = 60;
const PRODUCT = /^(?:contract|system|sandbox|adapters|supervisor|cli|viewer)\/.+\.tsx?$/;
/** Tests, and what only they use. */
const ASIDE = /\.(?:test|suite|d)\.tsx?$|^[^/]+\/test\/|(?:^|\/)(?:testing\/|arbitrary-)/;
/** Fewer files than this, and the check reads something else than it should. */
const LEAST = 1_000;

const UNNAMED = '(without a name)';

export interface StatefulClosure {
  readonly name: string;
  /** From 1. */
  readonly line: number;
  /** Names that `let` binds in it, and not in a function inside it. */
  readonly variables: number;
  readonly lines: number;
}

type FunctionNode = DeclaredFunction | ArrowFunctionExpression;

/** The functions of a source that have too much of both, in the order of their ends; throws for what is no source. */
export function statefulClosures(path: string, source: string): readonly StatefulClosure[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(', ')}`);
  const found: StatefulClosure[] = [];
  const names = new Map<unknown, string>();
  const open: { variables: number; closures: number }[] = [];
  const lineOf = (offset: number): number => source.slice(0, offset).split('\n').length;
  const enter = (): void => {
    const outer = open.at(-1);
    if (outer !== undefined) outer.closures += 1;
    open.push({ variables: 0, closures: 0 });
  };
  const leave = (node: FunctionNode): void => {
    const { variables = 0, closures = 0 } = open.pop() ?? {};
    const lines = source.slice(node.start, node.end).split('\n').length;
    if (closures === 0 || variables <= MOST_VARIABLES || lines <= MOST_LINES) return;
    const name = node.id?.name ?? names.get(node) ?? UNNAMED;
    found.push({ name, line: lineOf(node.start), variables, lines });
  };
  const nameMember = ({ key, value }: { readonly key: PropertyKey; readonly value: unknown }): void => {
    names.set(value, nameOf(key));
  };
  new Visitor({
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    'FunctionDeclaration:exit': leave,
    'FunctionExpression:exit': leave,
    'ArrowFunctionExpression:exit': leave,
    VariableDeclaration: ({ kind, declarations }) => {
      const own = open.at(-1);
      if (kind !== 'let' || own === undefined) return;
      for (const { id } of declarations) own.variables += boundNames(id);
    },
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier') names.set(init, id.name);
    },
    Property: nameMember,
    MethodDefinition: nameMember,
    PropertyDefinition: nameMember,
  }).visit(program);
  return found;
}

function nameOf(key: PropertyKey): string {
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  return key.type === 'Identifier' ? key.name : UNNAMED;
}

/** How many names a pattern gives a value. */
function boundNames(pattern: BindingPattern | BindingProperty | BindingRestElement | null): number {
  switch (pattern?.type) {
    case undefined:
      return 0;
    case 'Identifier':
      return 1;
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'RestElement':
      return boundNames(pattern.argument);
    case 'Property':
      return boundNames(pattern.value);
    case 'ArrayPattern':
      return pattern.elements.reduce((sum, element) => sum + boundNames(element), 0);
    case 'ObjectPattern':
      return pattern.properties.reduce((sum, property) => sum + boundNames(property), 0);
  }
}

function run(): void {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64e6,
  });
  const paths = stdout
    .split('\n')
    .filter((path) => PRODUCT.test(path) && !ASIDE.test(path) && existsSync(join(root, path)));
  const found = paths.flatMap((path) =>
    statefulClosures(path, readFileSync(join(root, path), 'utf8')).map(
      ({ name, line, variables, lines }) =>
        `${path}:${line}: ${name} has ${variables} variables and ${lines} lines around its closures, and may have more than ${MOST_VARIABLES} and ${MOST_LINES} of one alone`,
    ),
  );
  const faults = [...found, ...(paths.length < LEAST ? [`only ${paths.length} files were seen`] : [])];
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) run();
