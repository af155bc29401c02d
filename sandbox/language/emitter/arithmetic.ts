import type { Node } from '../analyser/ir.ts';
import type { ExpressionEmitter } from './expressions.ts';
import { isSmallInteger } from './text.ts';

type BuiltinCall = Node & { kind: 'builtin-call' };

const COMPARISONS: ReadonlyMap<string, { readonly operator: string; readonly slow: string }> = new Map([
  ['clojure.core/<', { operator: '<', slow: 'isLess' }],
  ['clojure.core/>', { operator: '>', slow: 'isGreater' }],
  ['clojure.core/<=', { operator: '<=', slow: 'isLessOrEqual' }],
  ['clojure.core/>=', { operator: '>=', slow: 'isGreaterOrEqual' }],
  ['clojure.core/==', { operator: '===', slow: 'isNumericallyEqual' }],
]);

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['clojure.core/zero?', '=== 0'],
  ['clojure.core/pos?', '> 0'],
  ['clojure.core/neg?', '< 0'],
]);

/**
 * A comparison as a JavaScript boolean, null if the call is none of those written in place. Two raw numbers compare
 * as JavaScript compares them; whatever else there is goes to the runtime.
 */
export function comparison(node: BuiltinCall, emitter: ExpressionEmitter): string | null {
  const [left, right] = node.args;
  if (left === undefined || node.args.length > 2) return null;
  if (node.args.length === 1) return unaryTest(node, left, emitter);
  if (right === undefined) return null;
  if (node.name === 'clojure.core/=') return equality(left, right, emitter);
  if (node.name === 'clojure.core/not=') return `!${equality(left, right, emitter)}`;
  const known = COMPARISONS.get(node.name);
  if (known === undefined) return null;
  const { prefix, operands, test } = numericOperands(node, emitter);
  const [a, b] = operands;
  const slow = `${emitter.support(known.slow)}(${a}, ${b})`;
  return test === '' ? `(${prefix}${a} ${known.operator} ${b})` : `(${prefix}${test} ? ${a} ${known.operator} ${b} : ${slow})`;
}

function unaryTest(node: BuiltinCall, operand: Node, emitter: ExpressionEmitter): string | null {
  if (node.name === 'clojure.core/nil?') return `(${emitter.value(operand)} === null)`;
  if (node.name === 'clojure.core/some?') return `(${emitter.value(operand)} !== null)`;
  if (node.name === 'clojure.core/true?') return `(${emitter.value(operand)} === true)`;
  if (node.name === 'clojure.core/false?') return `(${emitter.value(operand)} === false)`;
  if (node.name === 'clojure.core/not') return `!(${emitter.test(operand)})`;
  const sign = SIGNS.get(node.name);
  if (sign === undefined) return null;
  const { first, again } = emitter.repeatable(emitter.value(operand));
  const head = first === null ? again : `(${first})`;
  return `(typeof ${head} === "number" ? ${again} ${sign} : ${emitter.builtin(node.name, 1)}(${again}))`;
}

/** Constants that are `=` to nothing but the identical JavaScript value. */
function isIdentityConstant(node: Node): boolean {
  if (node.kind !== 'constant') return false;
  const { value } = node;
  return value === null || typeof value === 'boolean' || typeof value === 'string' || Number.isInteger(value);
}

function equality(left: Node, right: Node, emitter: ExpressionEmitter): string {
  const [a = '', b = ''] = emitter.values([left, right]);
  if (isIdentityConstant(left) || isIdentityConstant(right)) return `(${a} === ${b})`;
  const first = emitter.repeatable(a);
  const second = emitter.repeatable(b);
  const steps = [first.first, second.first].filter((step) => step !== null);
  const prefix = steps.length === 0 ? '' : `${steps.join(', ')}, `;
  return `(${prefix}${first.again} === ${second.again} || ${emitter.support('equals')}(${first.again}, ${second.again}))`;
}

/**
 * Addition and subtraction of 32-bit integers written in place: their results cannot leave the safe range, and the
 * test also keeps doubles out, whose integral results must be boxed (architecture.md §4). Measured on fib(25): 1.4
 * times plain JavaScript; with a call of the runtime 1.7 times.
 */
export function arithmetic(node: BuiltinCall, emitter: ExpressionEmitter): string | null {
  const { args } = node;
  switch (node.name) {
    case 'clojure.core/+':
    case "clojure.core/+'":
      return isFoldable(node) ? folded(node, '+', 'add', emitter) : null;
    case 'clojure.core/-':
    case "clojure.core/-'":
      return isFoldable(node) ? folded(node, '-', 'subtract', emitter) : null;
    case 'clojure.core/*':
    case "clojure.core/*'":
      return isFoldable(node) ? folded(node, '*', 'multiply', emitter) : null;
    case 'clojure.core/inc':
    case "clojure.core/inc'":
      return inPlace(emitter.values(args)[0] ?? '', '1', '+', 'add', emitter);
    case 'clojure.core/dec':
    case "clojure.core/dec'":
      return inPlace(emitter.values(args)[0] ?? '', '1', '-', 'subtract', emitter);
    default:
      return null;
  }
}

/** More operands than these go to the built-in: written in place they would nest as deep as there are many. */
const MOST_OPERANDS = 6;

function isFoldable(node: BuiltinCall): boolean {
  return node.args.length >= 2 && node.args.length <= MOST_OPERANDS;
}

function folded(node: BuiltinCall, operator: string, slow: string, emitter: ExpressionEmitter): string {
  const [first = '', ...others] = emitter.values(node.args);
  return others.reduce((sum, operand) => inPlace(sum, operand, operator, slow, emitter), first);
}

function inPlace(left: string, right: string, operator: string, slow: string, emitter: ExpressionEmitter): string {
  const a = emitter.repeatable(left);
  const b = emitter.repeatable(right);
  const steps = [a.first, b.first].filter((step) => step !== null);
  const prefix = steps.length === 0 ? '' : `${steps.join(', ')}, `;
  const call = `${emitter.support(slow)}(${a.again}, ${b.again})`;
  if (operator === '*') return `(${prefix}${call})`;
  const test = [a.again, b.again]
    .filter((operand) => !isSmallInteger(operand))
    .map((operand) => `typeof ${operand} === "number" && (${operand} | 0) === ${operand}`)
    .join(' && ');
  const fast = `${a.again} ${operator} ${spaced(b.again)}`;
  return test === '' ? `(${fast})` : `(${prefix}${test} ? ${fast} : ${call})`;
}

/** Keeps `- -1` from becoming a decrement. */
function spaced(operand: string): string {
  return operand.startsWith('-') ? `(${operand})` : operand;
}

function numericOperands(
  node: BuiltinCall,
  emitter: ExpressionEmitter,
): { readonly prefix: string; readonly operands: readonly [string, string]; readonly test: string } {
  const [left = '', right = ''] = emitter.values(node.args);
  const a = emitter.repeatable(left);
  const b = emitter.repeatable(right);
  const steps = [a.first, b.first].filter((step) => step !== null);
  const test = [a.again, b.again]
    .filter((operand) => !isSmallInteger(operand))
    .map((operand) => `typeof ${operand} === "number"`)
    .join(' && ');
  return { prefix: steps.length === 0 ? '' : `${steps.join(', ')}, `, operands: [a.again, b.again], test };
}
