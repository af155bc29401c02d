import type { Node } from '../analyser/ir.ts';
import type { BodyEmitter, Destination } from './body.ts';
import { stringLiteral } from '../code-text.ts';

type TryNode = Node & { kind: 'try' };

/**
 * `caught` lets through what no program may catch (language.md §10): only exceptions of the language reach the
 * clauses; anything else is thrown on by it.
 */
export function emitTry(emitter: BodyEmitter, node: TryNode, destination: Destination): void {
  const { block } = emitter;
  const { finallyBody } = node;
  let text = `try {\n${emitter.nested(() => emitter.emit(node.body, destination))}\n}`;
  const last: string[] = [];
  if (finallyBody !== null) {
    last.push(
      `${block.support('finallyBegins')}();`,
      emitter.nested(() => emitter.emit(finallyBody, { kind: 'effect' })),
    );
    // A stack that ran out is a limit from here on.
    if (node.catches.length === 0) text += ` catch (thrown) {\nthrow ${block.support('hostError')}(thrown);\n}`;
  }
  if (node.catches.length > 0) {
    const guards = emitter.fresh('guards');
    emitter.push(`const ${guards} = ${block.support('guard')}();`);
    const unguard = `${block.support('unguard')}(${guards});`;
    text += ` catch (thrown) {\n${unguard}\n${emitCatches(emitter, node, destination)}\n}`;
    last.unshift(unguard);
  }
  emitter.push(`${text} finally {\n${last.join('\n')}\n}`);
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
    emitter.push(`${text}${block.at(node)}${block.support('rethrow')}(${error});`);
  });
}
