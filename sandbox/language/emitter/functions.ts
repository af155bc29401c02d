import type { FunctionArity, FunctionNode, Node } from '../analyser/ir.ts';
import type { Block } from './block.ts';
import { BodyEmitter } from './body.ts';

interface UnitNames {
  readonly unit: string;
  readonly make: string;
}

/** The factory of a function expression, as text. */
export function emitFunctionFactory(block: Block, node: FunctionNode, names: UnitNames): string {
  const captures = node.captures.map((local) => local.id).join(', ');
  const code = emitFunction(block, node, names.unit);
  const close = `${block.support('close')}(${node.id}, ${names.unit}, [${captures}])`;
  return `function ${names.make}(${captures}) {\n${indent(code)}\n  return ${close};\n}`;
}

/** A function that evaluates one top-level form. */
export function emitFormFunction(block: Block, form: Node): string {
  const body = new BodyEmitter(block);
  body.emit(form, { kind: 'return' });
  return `() => {\n${indent(body.text())}\n}`;
}

function emitFunction(block: Block, node: FunctionNode, unit: string): string {
  const [only] = node.arities;
  if (only !== undefined && node.arities.length === 1) return emitSingleArity(block, node, only, unit);
  return emitManyArities(block, node, unit);
}

function emitSingleArity(block: Block, node: FunctionNode, arity: FunctionArity, unit: string): string {
  const names = arity.parameters.map((parameter) => parameter.id);
  const count = names.length;
  const wrong = `return ${block.support('wrongArity')}(arguments.length, ${unit});`;
  const lines: string[] = [];
  if (arity.rest === null) lines.push(`if (arguments.length !== ${count}) ${wrong}`);
  else {
    const rest = block.fresh('rest');
    names.push(`...${rest}`);
    if (count > 0) lines.push(`if (arguments.length < ${count}) ${wrong}`);
    lines.push(`let ${arity.rest.id} = ${block.support('restSeq')}(${rest});`);
  }
  lines.push(emitArityBody(block, arity));
  return `function ${node.id}(${names.join(', ')}) {\n${indent(lines.join('\n'))}\n}`;
}

function emitManyArities(block: Block, node: FunctionNode, unit: string): string {
  const widest = Math.max(...node.arities.map((arity) => arity.parameters.length));
  const names = Array.from({ length: widest }, () => block.fresh('p'));
  const cases: string[] = [];
  let fallback = `return ${block.support('wrongArity')}(arguments.length, ${unit});`;
  for (const arity of node.arities) {
    const lines = arity.parameters.map((parameter, index) => `let ${parameter.id} = ${names[index]};`);
    if (arity.rest !== null) {
      lines.push(`let ${arity.rest.id} = ${block.support('restArguments')}(arguments, ${arity.parameters.length});`);
    }
    lines.push(emitArityBody(block, arity));
    if (arity.rest === null) cases.push(`case ${arity.parameters.length}: {\n${indent(lines.join('\n'))}\n}`);
    else fallback = `if (arguments.length < ${arity.parameters.length}) ${fallback}\n${lines.join('\n')}`;
  }
  const text = `switch (arguments.length) {\n${indent(cases.join('\n'))}\n  default: {\n${indent(indent(fallback))}\n  }\n}`;
  return `function ${node.id}(${names.join(', ')}) {\n${indent(text)}\n}`;
}

function emitArityBody(block: Block, arity: FunctionArity): string {
  const body = new BodyEmitter(block);
  if (arity.target.used) body.emitJumpBody(arity.target, arity.body, { kind: 'return' });
  else body.emit(arity.body, { kind: 'return' });
  return body.text();
}

export function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : `  ${line}`))
    .join('\n');
}
