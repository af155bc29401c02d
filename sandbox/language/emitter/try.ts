import type { Node } from '../analyser/ir.ts';
import type { BodyEmitter, Destination } from './body.ts';
import { stringLiteral } from './text.ts';

type TryNode = Node & { kind: 'try' };

/**
 * `caught` lets through what no program may catch (language.md §10): only exceptions of the language reach the
 * clauses; anything else is thrown on by it.
 */
export function emitTry(emitter: BodyEmitter, node: TryNode, destination: Destination): void {
  let text = `try {\n${emitter.nested(() => emitter.emit(node.body, destination))}\n}`;
  if (node.catches.length > 0) text += ` catch (thrown) {\n${emitCatches(emitter, node, destination)}\n}`;
  if (node.finallyBody !== null) {
    const body = node.finallyBody;
    text += ` finally {\n${emitter.nested(() => emitter.emit(body, { kind: 'effect' }))}\n}`;
  }
  emitter.push(text);
}

function emitCatches(emitter: BodyEmitter, node: TryNode, destination: Destination): string {
  const { block } = emitter;
  return emitter.nested(() => {
    const error = emitter.fresh('error');
    emitter.push(`const ${error} = ${block.support('caught')}(thrown);`);
    let text = '';
    for (const clause of node.catches) {
      const body = emitter.nested(() => {
        emitter.push(`const ${clause.local.id} = ${error};`);
        emitter.emit(clause.body, destination);
      });
      const test = `${block.support('isInstance')}(${error}, ${stringLiteral(clause.className)})`;
      text += `if (${test}) {\n${body}\n} else `;
    }
    emitter.push(`${text}throw ${error};`);
  });
}
