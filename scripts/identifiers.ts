/**
 * Ends with 1, and lists file, line and what to write, where a declared name has a word that only its authors would
 * search for (docs/why/style.md): types, functions, variables, parameters and members, those of tests too.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor, type BindingPattern, type ParamPattern, type PropertyKey } from 'oxc-parser';

const root = join(import.meta.dirname, '..');
const SOURCES =
  /^(?:contract|system|sandbox|adapters|supervisor|cli|viewer|conformance|bench|scripts|examples)\/.+\.tsx?$/;
/** Fewer files than this, and the check reads something else than it should. */
const LEAST = 2_500;
/** Names that may stay, each with the reason. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ['begunAt', 'a member of the lines in which a gateway keeps calls with a key'],
  ['isIssuerTold', 'a member of the grants that stores keep'],
]);

/** A declared name, with a word in it that only its authors would search for. */
export interface DialectUse {
  /** From 1. */
  readonly line: number;
  readonly name: string;
  readonly word: string;
  readonly instead: string;
}

interface Named {
  readonly name: string;
  readonly start: number;
}

interface DeclaredName extends Named {
  readonly kind: 'type' | 'function' | 'value';
}

/** Words that no declared name has, and what to write. */
const NOWHERE: Readonly<Record<string, string>> = {
  told: 'reported, shown, described',
  untold: 'unreported, omitted',
  tell: 'report, show, describe',
  tells: 'reports, shows, says',
  fate: 'state, outcome',
  fates: 'states, outcomes',
  begun: 'started',
  lend: 'share',
  lends: 'shares',
  lent: 'shared',
  lender: 'pool',
  lending: 'sharing',
  lendable: 'shareable',
  loan: 'share',
  loans: 'shares',
  meant: 'target, nearest',
  sought: 'target, query',
  surveyed: 'found',
  bury: 'orphan',
  buried: 'orphaned',
  deposit: 'upload',
  deposits: 'uploads',
  surroundings: 'context, environment',
  unkept: 'unstored',
};
/** Words that may be a variable or a member, and not the name of a type or a function, nor one that is exported. */
const NOT_BY_THEMSELVES: Readonly<Record<string, string>> = {
  asked: 'requested, or what it is: a request, a question',
  given: 'what it is: input, options, arguments',
  gone: 'closed, missing, ended',
  held: 'what it is: acquired, pinned, pending',
  kept: 'stored, retained',
  taken: 'acquired, claimed, used',
};

/** Where a source declares such names, in their order; throws for what is no source. `allowed`: names that may stay. */
export function dialectIn(path: string, source: string, allowed: ReadonlySet<string>): readonly DialectUse[] {
  return declaredNames(path, source)
    .filter(({ name }) => !allowed.has(name))
    .flatMap(({ name, start, kind }) => {
      const words = wordsOf(name);
      const avoided = kind === 'value' ? NOWHERE : { ...NOWHERE, ...NOT_BY_THEMSELVES };
      const word = words.find((one) => Object.hasOwn(avoided, one));
      if (word === undefined) return [];
      return [{ line: source.slice(0, start).split('\n').length, name, word, instead: avoided[word] ?? '' }];
    });
}

/** The words of a name in camelCase, PascalCase or CAPITALS, in small letters. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function declaredNames(path: string, source: string): readonly DeclaredName[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(', ')}`);
  const found: DeclaredName[] = [];
  const exported = new Set<number>();
  const add = (kind: DeclaredName['kind'], id: Named | null): void => {
    if (id !== null) found.push({ name: id.name, start: id.start, kind });
  };
  const addType = ({ id }: { readonly id: Named | null }): void => add('type', id);
  const addMember = ({ key, computed }: { readonly key: PropertyKey; readonly computed: boolean }): void => {
    if (!computed && (key.type === 'Identifier' || key.type === 'PrivateIdentifier')) add('value', key);
  };
  const addParameters = ({ params }: { readonly params: readonly ParamPattern[] }): void => {
    for (const param of params) {
      const pattern = param.type === 'TSParameterProperty' ? param.parameter : param;
      for (const name of boundNames(pattern.type === 'RestElement' ? pattern.argument : pattern)) add('value', name);
    }
  };
  new Visitor({
    ExportNamedDeclaration: ({ declaration }) => {
      if (declaration?.type !== 'VariableDeclaration') return;
      for (const { id } of declaration.declarations) for (const { start } of boundNames(id)) exported.add(start);
    },
    FunctionDeclaration: (node) => {
      add('function', node.id);
      addParameters(node);
    },
    FunctionExpression: addParameters,
    ArrowFunctionExpression: addParameters,
    TSFunctionType: addParameters,
    TSMethodSignature: (node) => {
      addMember(node);
      addParameters(node);
    },
    ClassDeclaration: addType,
    TSInterfaceDeclaration: addType,
    TSTypeAliasDeclaration: addType,
    VariableDeclarator: ({ id, init }) => {
      const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
      for (const name of boundNames(id)) add(isFunction || exported.has(name.start) ? 'function' : 'value', name);
    },
    PropertyDefinition: addMember,
    MethodDefinition: addMember,
    TSPropertySignature: addMember,
  }).visit(program);
  return found.toSorted((left, right) => left.start - right.start);
}

function boundNames(pattern: BindingPattern): readonly Named[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) =>
        element === null ? [] : boundNames(element.type === 'RestElement' ? element.argument : element),
      );
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        boundNames(property.type === 'RestElement' ? property.argument : property.value),
      );
  }
}

function run(): void {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64e6,
  });
  const paths = stdout.split('\n').filter((path) => SOURCES.test(path) && existsSync(join(root, path)));
  const allowed = new Set(ALLOWED.keys());
  const found = paths.flatMap((path) =>
    dialectIn(path, readFileSync(join(root, path), 'utf8'), allowed).map(
      ({ line, name, word, instead }) => `${path}:${line}: ${name} has "${word}"; write: ${instead}`,
    ),
  );
  const faults = [...found, ...(paths.length < LEAST ? [`only ${paths.length} files were seen`] : [])];
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) run();
