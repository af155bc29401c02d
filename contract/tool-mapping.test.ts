import { expect } from 'chai';
import {
  kebabName,
  mappingFaultWords,
  mapTools,
  mayBeMapped,
  type RestOfTools,
  type ToolMapping,
  type ToolRow,
} from './tool-mapping.ts';

const REST: RestOfTools = {
  effect: 'write',
  errorFeedback: 'closed',
  inspectionCapture: 'full',
  isInline: false,
  allowed: null,
  visible: null,
  rows: new Map(),
  imported: null,
};

function row(fields: Partial<ToolRow>): ToolRow {
  return {
    upstream: 'getUser',
    as: 'user',
    effect: 'read',
    description: null,
    errorFeedback: 'bounded',
    inspectionCapture: 'full',
    isInline: false,
    isModelVisible: false,
    ...fields,
  };
}

function rest(fields: Partial<RestOfTools> = {}, rows: readonly ToolRow[] = []): ToolMapping {
  return {
    rows,
    rest: { ...REST, rows: new Map(rows.map(({ upstream, as }) => [upstream, as])), ...fields },
  };
}

function offer(...names: readonly string[]) {
  return names.map((upstream) => ({ upstream, isReadOnly: upstream.startsWith('get') }));
}

describe('world.md §2.3: names in kebab-case', () => {
  for (const [upstream, name] of [
    ['get_user', 'get-user'],
    ['getUser', 'get-user'],
    ['GetUser', 'get-user'],
    ['getHTTPResponse', 'get-http-response'],
    ['API-get-user', 'api-get-user'],
    ['drive.list', 'drive.list'],
    ['notion/pages:create', 'notion-pages-create'],
    ['_private_', 'private'],
    ['list2Files', 'list2-files'],
    ['a', 'a'],
    ['2fa', null],
    ['日本', null],
    ['--', null],
    ['a'.repeat(128), 'a'.repeat(128)],
    ['aB'.repeat(64), null],
  ] as const)
    it(`${upstream} is ${name}`, () => {
      expect(kebabName(upstream)).to.equal(name);
    });
});

describe('world.md §2.3: a mapping of every tool', () => {
  const named = (mapping: ToolMapping, ...names: readonly string[]): unknown => {
    const mapped = mapTools(mapping, offer(...names));
    return mapped.ok ? mapped.tools.map(({ upstream, as, effect }) => [upstream, as, effect]) : mapped.fault;
  };

  it('gives each its name in kebab-case and the effect of the row', () => {
    expect(named(rest(), 'put_user', 'getUser')).to.deep.equal([
      ['getUser', 'get-user', 'write'],
      ['put_user', 'put-user', 'write'],
    ]);
  });

  it('lets a row of its own win', () => {
    expect(named(rest({}, [row({})]), 'put_user', 'getUser')).to.deep.equal([
      ['getUser', 'user', 'read'],
      ['put_user', 'put-user', 'write'],
    ]);
  });

  it('maps no tool whose row is not allowed', () => {
    const mapping = { ...rest({ rows: new Map([['getUser', 'user']]) }), rows: [] };
    expect(named(mapping, 'put_user', 'getUser')).to.deep.equal([['put_user', 'put-user', 'write']]);
  });

  it('trusts readOnlyHint where it says so, and takes everything else as writing', () => {
    expect(named(rest({ effect: 'annotations' }), 'put_user', 'getUser')).to.deep.equal([
      ['getUser', 'get-user', 'read'],
      ['put_user', 'put-user', 'write'],
    ]);
    const own = row({ upstream: 'put_user', as: 'put', effect: 'annotations' });
    expect(named({ rows: [own], rest: null }, 'put_user')).to.deep.equal([['put_user', 'put', 'write']]);
  });

  it('reports a collision with both names', () => {
    const mapped = mapTools(rest(), offer('get_user', 'getUser'));
    expect(mapped).to.deep.equal({
      ok: false,
      fault: { kind: 'collision', as: 'get-user', upstream: ['get_user', 'getUser'] },
    });
    expect(mapped.ok || mapped.fault.kind === 'missing' ? null : mappingFaultWords(mapped.fault)).to.equal(
      'the tools "get_user" and "getUser" would both be called get-user: give one of them a row of its own with another "as"',
    );
    expect(named(rest({}, [row({ upstream: 'x', as: 'get-user' })]), 'x', 'getUser')).to.deep.equal({
      kind: 'collision',
      as: 'get-user',
      upstream: ['x', 'getUser'],
    });
  });

  it('does not mind a collision of tools that are not allowed', () => {
    expect(named(rest({ allowed: ['put-user'] }), 'get_user', 'getUser', 'putUser')).to.deep.equal([
      ['putUser', 'put-user', 'write'],
    ]);
  });

  it('reports a name that programs cannot use, or that is reserved', () => {
    expect(named(rest(), '日本')).to.deep.equal({ kind: 'unusable', upstream: '日本', as: null });
    expect(named(rest(), 'capList')).to.deep.equal({ kind: 'unusable', upstream: 'capList', as: 'cap-list' });
    expect(named(rest({ allowed: ['a'] }), '日本', 'a')).to.deep.equal([['a', 'a', 'write']]);
  });

  it('reports what is allowed and not offered: a row by its upstream name, any other by its own', () => {
    expect(named(rest({}, [row({})]), 'a')).to.deep.equal({ kind: 'missing', name: 'getUser' });
    expect(named(rest({ allowed: ['b', 'a'] }), 'a')).to.deep.equal({ kind: 'missing', name: 'b' });
  });

  it('shows models what the selection names', () => {
    const mapped = mapTools(rest({ visible: ['b'] }), offer('a', 'b'));
    expect(mapped.ok ? mapped.tools.map(({ isModelVisible }) => isModelVisible) : []).to.deep.equal([false, true]);
  });
});

describe('world.md §2.3: which tools are read', () => {
  it('those with an allowed row, and those whose name is allowed', () => {
    const mapping = rest({ allowed: ['get-file'] }, [row({})]);
    const read = ['getUser', 'get_file', 'putFile'].filter((upstream) => mayBeMapped(mapping, upstream));
    expect(read).to.deep.equal(['getUser', 'get_file']);
    expect(mayBeMapped(rest(), 'anything')).to.equal(true);
    expect(mayBeMapped({ rows: [], rest: null }, 'anything')).to.equal(false);
  });
});

describe('code-mode.md §3: names of imported tools (§9, 21 and 22)', () => {
  const names = (offered: readonly string[], maxTools = 512): unknown => {
    const mapped = mapTools(rest({ imported: { maxTools, nameLength: 20 } }), offer(...offered));
    return mapped.ok ? [mapped.tools.map(({ upstream, as }) => [upstream, as]), mapped.leftOut] : mapped.fault;
  };

  it('are numbered by the order of upstream names where two would be one', () => {
    expect(names(['get_user', 'getUser', 'get-user', 'get-user-2'])).to.deep.equal([
      [
        ['get-user', 'get-user'],
        ['get-user-2', 'get-user-2'],
        ['getUser', 'get-user-3'],
        ['get_user', 'get-user-4'],
      ],
      0,
    ]);
  });

  it('are made of whatever their server calls them', () => {
    expect(names(['drive.list', 'notion/pages:create', '2fa', '日本', '中国', 'kernel-eval'])).to.deep.equal([
      [
        ['drive.list', 'drive.list'],
        ['kernel-eval', 'kernel-eval'],
        ['notion/pages:create', 'notion-pages-create'],
        ['中国', 'tool'],
        ['日本', 'tool-2'],
        ['2fa', 'tool-2fa'],
      ],
      0,
    ]);
    expect(names([`${'x'.repeat(127)}a`, `${'x'.repeat(127)}b`])).to.deep.equal([
      [
        [`${'x'.repeat(127)}b`, `${'x'.repeat(18)}-2`],
        [`${'x'.repeat(127)}a`, 'x'.repeat(20)],
      ],
      0,
    ]);
  });

  it('are the first by name, and the others are counted', () => {
    expect(names(['c', 'a', 'b'], 2)).to.deep.equal([
      [
        ['a', 'a'],
        ['b', 'b'],
      ],
      1,
    ]);
  });
});
