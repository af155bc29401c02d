import { expect } from 'chai';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { suggestedMapping } from './suggested-mapping.ts';

function suggested(...names: readonly string[]): unknown {
  const tools = names.map((name) => ({
    name,
    description: null,
    inputSchema: null,
    outputSchema: null,
    isReadOnly: name.startsWith('get'),
    isCallable: !name.startsWith('no'),
  }));
  return JSON.parse(canonicalJson(suggestedMapping(tools)));
}

describe('the mapping that svc catalog prints (world.md §2.3)', () => {
  it('has each tool with the effect that the server tells', () => {
    expect(suggested('getUser', 'put_user')).to.deep.equal({
      getUser: { as: 'get-user', effect: 'read' },
      put_user: { as: 'put-user', effect: 'write' },
    });
  });

  it('has nothing of what cannot be called', () => {
    expect(suggested('getUser', 'noCall')).to.deep.equal({ getUser: { as: 'get-user', effect: 'read' } });
  });

  it('has each name once, and none that is reserved or cannot be', () => {
    expect(suggested('getUser', 'get_user', 'cap_list', '日本')).to.deep.equal({
      getUser: { as: 'get-user', effect: 'read' },
      get_user: { as: 'get-user-2', effect: 'read' },
      cap_list: { as: 'own-cap-list', effect: 'write' },
      日本: { as: 'tool-4', effect: 'write' },
    });
    const [first, second] = [`${'a'.repeat(127)}b`, `${'A'.repeat(127)}B`];
    expect(suggested(first, second)).to.have.nested.property(`${second}.as`, `${'a'.repeat(126)}-2`);
  });
});
