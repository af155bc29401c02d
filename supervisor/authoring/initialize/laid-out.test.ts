import { expect } from 'chai';
import { formatSource } from '../../../sandbox/language/editor/format/format.ts';
import { newApplicationTree, TOOL_NAMES, type NewApplication } from './new-application.ts';
import { scaffoldTree } from './scaffold.ts';
import type { Tree } from './tree.ts';

/** Components of a tree that `svc fmt` would change. */
function otherwise(tree: Tree): readonly string[] {
  return [...tree].flatMap(([path, bytes]) => {
    if (!path.endsWith('.clj')) return [];
    const source = Buffer.from(bytes).toString();
    const formatted = formatSource(source);
    return formatted.ok && formatted.text === source ? [] : [path];
  });
}

describe('the components that svc init and svc new write (cli.md §10, fmt)', () => {
  it('are laid out', () => {
    expect(scaffoldTree().has('main.clj')).to.equal(true);
    expect(otherwise(scaffoldTree())).to.deep.equal([]);
    const tools: NewApplication['tools'][] = [[], ...TOOL_NAMES.map((name) => [name])];
    for (const input of tools) {
      const tree = newApplicationTree({ kind: 'workflow', tools: input, model: null }, new Map());
      expect(tree.has('main.clj')).to.equal(true);
      expect(otherwise(tree)).to.deep.equal([]);
    }
  });
});
