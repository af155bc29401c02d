import { expect } from 'chai';
import { effectiveLimits } from '../../../contract/limits/effective.ts';
import { EVERY_TOOL } from '../../../contract/tool-mapping.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import { loadHost } from '../../documents/host/load.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import type { Plain } from '../../documents/testing/application-tree.ts';
import { host, STDIO } from '../../documents/testing/hosts.ts';
import { memoryFileSystem } from '../../documents/testing/memory-file-system.ts';
import type { InstalledProvider } from '../source/installed-provider.ts';
import { installedProvider } from '../table.ts';
import { toolMapping, toolRows } from './tool-rows.ts';

async function installed(tools: Plain | undefined): Promise<InstalledProvider> {
  return installedProvider(...(await loaded(tools)));
}

async function loaded(tools: Plain | undefined) {
  const text = JSON.stringify(host({ mcp: { ...STDIO, tools } }, {}));
  const document = await loadHost(createDocumentReader(memoryFileSystem({ '/host.json': text }), '/'), {
    kind: 'named',
    path: '/host.json',
  });
  if (!document.ok) throw new Error(document.diagnostic.message);
  const installation = document.value.document.install.get('mcp');
  if (installation === undefined) throw new Error('it is installed');
  return [installation, document.value.document] as const;
}

async function selected(tools: Plain | undefined, config: Plain): Promise<unknown> {
  const limits = effectiveLimits({}, {});
  const json = jsonFromPlain(config);
  if (!limits.ok || !isJsonObject(json)) throw new Error('both are given');
  const chosen = (await installed(tools)).select('mission', json, limits.values);
  return chosen.ok ? [chosen.selection['allow'], chosen.selection['model_visible']] : chosen.fault;
}

const WRITE = { '*': { effect: 'write', model_visible: true }, getUser: { effect: 'read' } };
const READ = { '*': { effect: 'read' } };

describe('world.md §2.3: a selection of a server whose tools are all mapped', () => {
  const rows: readonly (readonly [string, Plain | undefined, Plain, unknown])[] = [
    ['needs allow where a tool may write', WRITE, {}, { field: 'allow', rule: 'required' }],
    [
      'needs it where the server says what writes',
      { '*': { effect: 'annotations' } },
      {},
      { field: 'allow', rule: 'required' },
    ],
    ['has all where every tool reads', READ, {}, [['*'], []]],
    ['has all by a star, rows of their own too', WRITE, { allow: ['*'] }, [['*', 'get-user'], ['*']]],
    ['has those that it names', WRITE, { allow: ['put-user', 'get-user'] }, [['get-user', 'put-user'], ['put-user']]],
    [
      'shows models what it says',
      WRITE,
      { allow: ['*'], model_visible: ['a', 'get-user'] },
      [
        ['*', 'get-user'],
        ['a', 'get-user'],
      ],
    ],
    [
      'shows models all by a star',
      WRITE,
      { allow: ['*'], model_visible: ['*'] },
      [
        ['*', 'get-user'],
        ['*', 'get-user'],
      ],
    ],
    [
      'shows models nothing that it does not allow',
      WRITE,
      { allow: ['a'], model_visible: ['b'] },
      { field: 'model_visible', rule: 'subset', item: 0, names: ['a'] },
    ],
    [
      'has no tool by a name that none can have',
      WRITE,
      { allow: ['getUser'] },
      { field: 'allow', rule: 'enum', item: 0, names: ['*', 'get-user'] },
    ],
    ['has none of nothing', undefined, { allow: ['a'] }, { field: 'allow', rule: 'enum', item: 0, names: [] }],
    ['needs a mapping', undefined, {}, { field: 'allow', rule: 'minimum', bound: 1 }],
    [
      'has no star where nothing maps every tool',
      { getUser: { effect: 'read' } },
      { allow: ['*'] },
      { field: 'allow', rule: 'enum', item: 0, names: ['get-user'] },
    ],
  ];
  for (const [name, tools, config, expected] of rows)
    it(name, async () => {
      expect(await selected(tools, config)).to.deep.equal(expected);
    });

  it('offers what is known, and a star for the rest', async () => {
    const provider = await installed({ '*': { effect: 'annotations' }, getUser: { as: 'user', effect: 'read' } });
    expect(provider.offers({ allow: [EVERY_TOOL, 'user'] }, 'mcp')).to.deep.equal([
      { name: 'user', effect: 'read' },
      { name: '*', effect: 'unknown' },
    ]);
    expect(provider.offers({ allow: ['put-user'] }, 'mcp')).to.deep.equal([{ name: 'put-user', effect: 'unknown' }]);
  });

  it('tells an adapter which names are taken, and leaves out a rest of which nothing is allowed', async () => {
    const [installation] = await loaded(WRITE);
    if (installation.source !== 'mcp') throw new Error('it is a server');
    const rows = toolRows(installation.tools);
    expect(toolMapping(rows, { allow: ['get-user'], model_visible: [] })).to.deep.include({ rest: null });
    const { rest } = toolMapping(rows, { allow: ['*'], model_visible: ['a'] });
    expect(rest).to.deep.equal({
      effect: 'write',
      errorFeedback: 'closed',
      inspectionCapture: 'full',
      isInline: false,
      allowed: null,
      visible: ['a'],
      rows: new Map([['getUser', 'get-user']]),
      imported: null,
    });
  });
});
