import type { FunctionArity, FunctionNode, Node } from '../analyser/ir.ts';
import type { Block } from './block.ts';
import { BodyEmitter } from './body.ts';
import { type LastUses, lastUsesOfArity, lastUsesOfForm } from './last-uses.ts';
import { isPending } from './owned-seqs.ts';

/** Adds the factory of a function expression to a block; answers the factory's identifier. */
function addFunction(block: Block, node: FunctionNode): string {
  const make = block.factoryName(node.displayName);
  block.addFactory(emitFunctionFactory(block, node, { make, name: block.printName(node.displayName) }));
  return make;
}

/** Adds a top-level form to a block. */
export function addForm(block: Block, form: Node): void {
  block.addForm(emitFormFunction(block, form));
}

/**
 * The factory of a function expression, as text. `name`: what the function prints as. In parentheses, and so are forms:
 * V8 then compiles it with the block, and not a second time when the block has run and it is called (bench/README.md).
 */
function emitFunctionFactory(
  block: Block,
  node: FunctionNode,
  { make, name }: { readonly make: string; readonly name: string },
): string {
  const captures = node.captures.map((local) => local.id).join(', ');
  const variadic = node.arities.find((arity) => arity.rest !== null);
  const from = variadic === undefined ? '' : `, ${variadic.parameters.length}`;
  return `const ${make} = unit(${name}, ((${captures}) => ${emitFunction(block, node, make)})${from});`;
}

/** A function that evaluates one top-level form. */
function emitFormFunction(block: Block, form: Node): string {
  const body = bodyOf(block, lastUsesOfForm(form));
  body.emit(form, { kind: 'return' });
  const text = body.text();
  const isOneLine = text.startsWith(RETURN) && text.endsWith(';') && !LINE_ENDS.some((end) => text.includes(end));
  return isOneLine ? `(() => ${text.slice(RETURN.length, -1)})` : `(() => {\n${text}\n})`;
}

function bodyOf(block: Block, lastUses: LastUses, self: string | null = null): BodyEmitter {
  return new BodyEmitter(block, { lastUses, self }, (node) => addFunction(block, node));
}

const RETURN = 'return ';
const LINE_ENDS = ['\n', '\r', '\u2028', '\u2029'];

function emitFunction(block: Block, node: FunctionNode, make: string): string {
  const [only] = node.arities;
  const { names, text } =
    only !== undefined && node.arities.length === 1
      ? emitSingleArity(block, only, { make, id: node.id })
      : emitManyArities(block, node, make);
  const id = text.includes(node.id) ? ` ${node.id}` : '';
  return `function${id}(${names.join(', ')}) {\n${text}\n}`;
}

interface FunctionText {
  readonly names: readonly string[];
  readonly text: string;
}

function wrongCount(block: Block, make: string): string {
  return `${block.support('arity')}(${make}, arguments.length);`;
}

function emitSingleArity(
  block: Block,
  arity: FunctionArity,
  { make, id }: { readonly make: string; readonly id: string },
): FunctionText {
  const lastUses = lastUsesOfArity(arity, true);
  const names = arity.parameters.map((parameter) => parameter.id);
  const count = names.length;
  const lines: string[] = [];
  if (arity.rest === null) lines.push(`if (arguments.length !== ${count}) ${wrongCount(block, make)}`);
  else {
    names.push(`...${arity.rest.id}`);
    if (count > 0) lines.push(`if (arguments.length < ${count}) ${wrongCount(block, make)}`);
    lines.push(`${arity.rest.id} = ${block.support('restSeq')}(${arity.rest.id});`);
  }
  // All of them, so that none that was given to this function is taken for given when it comes back.
  if (lastUses.receives) {
    for (const local of arity.parameters) {
      const condition = lastUses.isBrief ? `if (${isPending(local.id)}) ` : '';
      if (lastUses.retained.has(local))
        lines.push(`${condition}${local.id} = ${block.support('received')}(${local.id}, ${id});`);
      else if (lastUses.cleared.has(local))
        lines.push(`${condition}${local.id} = ${block.support('received')}(${local.id}, ${id}, false);`);
      else lines.push(`${condition}${block.support('disown')}(${local.id});`);
    }
  }
  lines.push(emitArityBody(block, arity, lastUses, lastUses.receives ? id : null));
  return { names, text: lines.join('\n') };
}

function emitManyArities(block: Block, node: FunctionNode, make: string): FunctionText {
  const widest = Math.max(...node.arities.map((arity) => arity.parameters.length));
  const names = Array.from({ length: widest }, (_, index) => `p${index}`);
  const cases: string[] = [];
  let fallback = wrongCount(block, make);
  for (const arity of node.arities) {
    const bound = arity.parameters.map((parameter, index) => `${parameter.id} = ${names[index]}`);
    if (arity.rest !== null)
      bound.push(`${arity.rest.id} = ${block.support('restArguments')}(arguments, ${arity.parameters.length})`);
    const lines = bound.length === 0 ? [] : [`let ${bound.join(', ')};`];
    lines.push(emitArityBody(block, arity, lastUsesOfArity(arity, false), null));
    const text = lines.join('\n');
    if (arity.rest === null) cases.push(`case ${arity.parameters.length}: {\n${text}\n}`);
    else
      fallback =
        arity.parameters.length === 0
          ? text
          : `if (arguments.length < ${arity.parameters.length}) ${fallback}\n${text}`;
  }
  return { names, text: `switch (arguments.length) {\n${[...cases, `default: {\n${fallback}\n}`].join('\n')}\n}` };
}

function emitArityBody(block: Block, arity: FunctionArity, lastUses: LastUses, self: string | null): string {
  const body = bodyOf(block, lastUses, self);
  if (arity.target.used) body.emitJumpBody(arity.target, arity.body, { kind: 'return' });
  else body.emit(arity.body, { kind: 'return' });
  return body.text();
}
