/**
 * The guest's bundle, taken apart into what stands at its top: functions, classes and constants, and who uses which.
 */
import { type AnyNode, parse, type Program } from 'acorn';
import { analyze, type Variable } from 'eslint-scope';

/** A range of the bundle's text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** One mention of a unit's name outside its own statement. */
export interface Use extends Range {
  /** `{ name }`, which is short for `{ name: name }`. */
  readonly isShorthand: boolean;
  /** The whole of `value instanceof name` where reading `value` does nothing else; null for every other use. */
  readonly instanceOf: Range | null;
}

/** A statement at the bundle's top, or one of the variables that a statement declares. */
export interface Unit extends Range {
  /** What its text lacks before it to be a statement. */
  readonly keyword: '' | 'var ';
  /** Path of its module, as the bundler writes it. */
  readonly module: string;
  /** The name it binds; null for one that binds none. */
  readonly name: string | null;
  /** Whether that name keeps the value that it is given here. */
  readonly isConstant: boolean;
  readonly uses: readonly Use[];
}

/** Throws on text that is no module, or whose top is not flat (the bundler's output is). */
export function guestUnits(text: string): readonly Unit[] {
  const headings: { readonly at: number; readonly module: string }[] = [];
  const program = parse(text, {
    ecmaVersion: 2024,
    sourceType: 'module',
    ranges: true,
    onComment: (isBlock, comment, start) => {
      if (!isBlock && comment.endsWith('.ts')) headings.push({ at: start, module: comment.trim() });
    },
  });
  if (!isAnalysable(program)) throw new Error('not a program');
  const [top] = analyze(program, { ecmaVersion: 2024, sourceType: 'module' }).globalScope?.childScopes ?? [];
  if (top?.type !== 'module') throw new Error('the bundle has no module scope');
  const special = specialUses(program);
  let heading = 0;
  return program.body.flatMap(parts).map(({ keyword, name, isInitialised, start, end }) => {
    while ((headings[heading + 1]?.at ?? Infinity) < start) heading += 1;
    const module = headings[heading]?.module ?? '';
    const variable = name === null ? undefined : top.set.get(name);
    if (variable === undefined) return { keyword, start, end, module, name, isConstant: false, uses: [] };
    const uses = variable.references.flatMap(({ identifier }): Use[] => {
      const use = rangeOf(identifier);
      return use.start >= start && use.end <= end
        ? []
        : [{ ...use, isShorthand: false, instanceOf: null, ...special.get(use.start) }];
    });
    return { keyword, start, end, module, name, isConstant: isInitialised && isBoundOnce(variable), uses };
  });
}

type Part = Range & Pick<Unit, 'keyword' | 'name'> & { readonly isInitialised: boolean };

/** The bundler declares with `var` alone. */
function parts(statement: Program['body'][number]): readonly Part[] {
  if (statement.type === 'VariableDeclaration' && statement.kind === 'var') {
    return statement.declarations.map(({ start, end, id, init }) => ({
      start,
      end,
      keyword: 'var ',
      name: id.type === 'Identifier' ? id.name : null,
      isInitialised: init !== null && init !== undefined,
    }));
  }
  const { start, end } = statement;
  return [
    {
      start,
      end,
      keyword: '',
      name: statement.type === 'FunctionDeclaration' ? statement.id.name : null,
      isInitialised: true,
    },
  ];
}

function isBoundOnce({ defs, references }: Variable): boolean {
  return defs.length === 1 && references.every((reference) => !reference.isWrite() || reference.init === true);
}

/** By the start of the mentioned name. */
function specialUses(program: Program): ReadonlyMap<number, Pick<Use, 'isShorthand'> | Pick<Use, 'instanceOf'>> {
  const special = new Map<number, Pick<Use, 'isShorthand'> | Pick<Use, 'instanceOf'>>();
  const pending: unknown[] = [program];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if (isNode(node)) {
      if (node.type === 'Property' && node.shorthand) special.set(rangeOf(node.value).start, { isShorthand: true });
      if (
        node.type === 'BinaryExpression' &&
        node.operator === 'instanceof' &&
        (node.left.type === 'Identifier' || node.left.type === 'ThisExpression')
      ) {
        special.set(rangeOf(node.right).start, { instanceOf: rangeOf(node) });
      }
    }
    pending.push(...Object.values(node));
  }
  return special;
}

/** The types of acorn and of ESTree name the same nodes in two ways. */
function isAnalysable(program: object): program is Program & Parameters<typeof analyze>[0] {
  return 'type' in program && program.type === 'Program';
}

function isNode(value: object): value is AnyNode {
  return 'type' in value && typeof value.type === 'string';
}

/** acorn's nodes have one, which the types of eslint-scope do not tell. */
function rangeOf(node: object): Range {
  if (!('start' in node && typeof node.start === 'number' && 'end' in node && typeof node.end === 'number'))
    throw new Error('a node without a place');
  return { start: node.start, end: node.end };
}
