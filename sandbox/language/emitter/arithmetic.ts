import type { Node } from '../analyser/ir.ts';
import type { ExpressionEmitter } from './expressions.ts';
import { isSimple } from '../code-text.ts';

type BuiltinCall = Node & { kind: 'builtin-call' };

/** Comparisons and the support functions that make them. */
const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['clojure.core/<', 'lt'],
  ['clojure.core/>', 'gt'],
  ['clojure.core/<=', 'le'],
  ['clojure.core/>=', 'ge'],
  ['clojure.core/==', 'numEq'],
]);

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['clojure.core/zero?', '=== 0'],
  ['clojure.core/pos?', '> 0'],
  ['clojure.core/neg?', '< 0'],
]);

/** A comparison as a JavaScript boolean, null if the call is none of those that are written as one. */
export function emitComparison(node: BuiltinCall, emitter: ExpressionEmitter): string | null {
  const [left, right] = node.args;
  if (left === undefined || node.args.length > 2) return null;
  if (node.args.length === 1) return unaryTest(node, left, emitter);
  if (right === undefined) return null;
  if (node.name === 'clojure.core/=') return equality(node, left, right, emitter);
  if (node.name === 'clojure.core/not=') return `!${equality(node, left, right, emitter)}`;
  const helper = COMPARISONS.get(node.name);
  return helper === undefined
    ? null
    : `${emitter.at(node)}${emitter.support(helper)}(${emitter.values(node.args).join(', ')})`;
}

function unaryTest(node: BuiltinCall, operand: Node, emitter: ExpressionEmitter): string | null {
  if (node.name === 'clojure.core/nil?') return `(${emitter.value(operand)} === null)`;
  if (node.name === 'clojure.core/some?') return `(${emitter.value(operand)} !== null)`;
  if (node.name === 'clojure.core/true?') return `(${emitter.value(operand)} === true)`;
  if (node.name === 'clojure.core/false?') return `(${emitter.value(operand)} === false)`;
  if (node.name === 'clojure.core/not') return `!(${emitter.test(operand)})`;
  const sign = SIGNS.get(node.name);
  if (sign === undefined) return null;
  const value = emitter.value(operand);
  const slow = `${emitter.at(node)}${emitter.builtin(node.name, 1)}(${value})`;
  return isSimple(value) ? `(typeof ${value} === "number" ? ${value} ${sign} : ${slow})` : slow;
}

/** Constants that are `=` to nothing but the identical JavaScript value. */
function isIdentityConstant(node: Node): boolean {
  if (node.kind !== 'constant') return false;
  const { value } = node;
  return value === null || typeof value === 'boolean' || typeof value === 'string' || Number.isInteger(value);
}

function equality(node: BuiltinCall, left: Node, right: Node, emitter: ExpressionEmitter): string {
  const [a = '', b = ''] = emitter.values([left, right]);
  return isIdentityConstant(left) || isIdentityConstant(right)
    ? `(${a} === ${b})`
    : `${emitter.at(node)}${emitter.support('eq')}(${a}, ${b})`;
}

/**
 * Operations of two operands and the support functions that make them; the rare `+'` and its like are ordinary
 * built-ins.
 */
const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ['clojure.core/+', 'add'],
  ['clojure.core/-', 'sub'],
  ['clojure.core/*', 'mul'],
]);

/** Those of one operand. */
const STEPS: ReadonlyMap<string, string> = new Map([
  ['clojure.core/inc', 'inc'],
  ['clojure.core/dec', 'dec'],
]);

/** More operands than these go to the built-in: written in place they would nest as deep as there are many. */
const MOST_OPERANDS = 6;

/**
 * Arithmetic as calls of small functions that the engine inlines: fib(25) takes 1.4 to 1.9 times plain JavaScript, with
 * the functions' tests written in place 1.4 times, at four times the text.
 */
export function arithmetic(node: BuiltinCall, emitter: ExpressionEmitter): string | null {
  const step = STEPS.get(node.name);
  if (step !== undefined) return `${emitter.at(node)}${emitter.support(step)}(${emitter.values(node.args)[0] ?? ''})`;
  const operation = OPERATIONS.get(node.name);
  if (operation === undefined || node.args.length < 2 || node.args.length > MOST_OPERANDS) return null;
  const [first = '', ...others] = emitter.values(node.args);
  const helper = `${emitter.at(node)}${emitter.support(operation)}`;
  return others.reduce((sum, operand) => `${helper}(${sum}, ${operand})`, first);
}
