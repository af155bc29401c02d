import { expect } from 'chai';
import type { ExportFact } from '../../../contract/sandbox-protocol.ts';
import {
  brief,
  compiled,
  exportFact,
  load,
  MANIFEST,
  type CompileAnswer,
  type Plain,
  type Tree,
} from '../../documents/testing/application-tree.ts';
import {
  DECISION,
  host,
  HTTP,
  INSPECTION,
  LLM,
  OAUTH,
  PRIVATE_TRACE,
  REPLAY,
  STDIO,
  TRACE,
} from '../../documents/testing/hosts.ts';
import { providerRecordOf } from '../../providers/provider-record.ts';

const HOST = host({
  model: LLM,
  other: LLM,
  replay: REPLAY,
  tools: STDIO,
  writer: {
    ...HTTP,
    tools: { w: { as: 'write-it', effect: 'write' }, r: { as: 'read-it', effect: 'read', model_visible: true } },
  },
  trace: TRACE,
  'private-trace': PRIVATE_TRACE,
  inspection: INSPECTION,
  decision: DECISION,
  lenient: { ...LLM, accepts_data: ['normal', 'private_inspection'] },
  sensitive: { ...LLM, data_class: 'private_inspection', accepts_data: ['private_inspection'] },
});

type Selections = { readonly workflow?: readonly unknown[]; readonly mission?: readonly unknown[] };

function tree(providers: Selections, members: Plain = {}): Tree {
  return { manifest: { ...MANIFEST, providers, ...members }, host: HOST };
}

async function loadText(files: Tree): Promise<string> {
  const outcome = await load(files);
  if (outcome.ok) return 'ok';
  const { subject, message } = outcome.diagnostic;
  const occurrence = subject?.occurrence ?? null;
  const place = occurrence === null ? '' : ` at ${occurrence.destination}[${occurrence.index}]`;
  return `${brief(outcome.diagnostic)} ${subject?.name ?? '-'} ${subject?.operation ?? ''}${place} | ${message}`;
}

const workflow = (...list: unknown[]) => ({ workflow: list });
const mission = (...list: unknown[]) => ({ mission: list });
const configured = (name: string, config: unknown) => ({ name, config });

describe('provider selections (documents.md §3, §13)', () => {
  const cases: readonly (readonly [string, Selections, RegExp])[] = [
    [
      'an alias that is not installed',
      workflow({ name: 'model' }, { name: 'nobody' }),
      /^provider_unknown nobody declaration at workflow\[1\]/,
    ],
    ['a model for missions', mission({ name: 'model' }), /^placement_denied model selection at mission\[0\]/],
    ['tools for the workflow', workflow({ name: 'tools' }), /^placement_denied tools/],
    ['a snapshot for the workflow', workflow({ name: 'trace' }), /^placement_denied trace/],
    ['the catalogue of tools for the workflow', workflow(configured('tools', { catalog: true })), /^ok$/],
    [
      'a catalogue that is not true',
      workflow(configured('tools', { catalog: false })),
      /^selection_invalid .*field catalog, rule enum/,
    ],
    [
      'a catalogue and more',
      workflow(configured('tools', { catalog: true, timeout_ms: 1 })),
      /^selection_invalid .*unknown property/,
    ],
    [
      'an unknown field',
      workflow(configured('model', { secret: 1 })),
      /^selection_invalid model selection at workflow\[0\] \| .*unknown property$/,
    ],
    [
      'a call count of no calls',
      workflow(configured('model', { max_calls: 0 })),
      /field max_calls, rule minimum; bound: 1$/,
    ],
    ['a call count that is a text', workflow(configured('model', { max_calls: '1' })), /field max_calls, rule type$/],
    [
      'a call count above the limit of the run',
      workflow(configured('model', { max_calls: 129 })),
      /field max_calls, rule limit; bound: 128$/,
    ],
    [
      'a size above the ceiling',
      workflow(configured('model', { max_response_bytes: 1000001 })),
      /field max_response_bytes, rule ceiling; bound: 1000000$/,
    ],
    ['an integral float', workflow(configured('model', { max_calls: 2 })), /^ok$/],
    ['a default that is no flag', workflow(configured('model', { default: 1 })), /field default, rule type$/],
    [
      'an allowed tool that is not installed',
      mission(configured('tools', { allow: ['secret'] })),
      /field allow, rule enum$/,
    ],
    [
      'an allowed tool twice',
      mission(configured('tools', { allow: ['read-file', 'read-file'] })),
      /field allow, rule unique_items$/,
    ],
    ['no allowed tool', mission(configured('tools', { allow: [] })), /field allow, rule minimum; bound: 1$/],
    ['tools that write, not chosen explicitly', mission({ name: 'writer' }), /field allow, rule required$/],
    ['tools that write, chosen', mission(configured('writer', { allow: ['write-it'] })), /^ok$/],
    [
      'a visible tool that is not allowed',
      mission(configured('writer', { allow: ['write-it'], model_visible: ['read-it'] })),
      /field model_visible, rule subset$/,
    ],
    [
      'a result too small for a snapshot',
      mission(configured('trace', { max_result_bytes: 449 })),
      /field max_result_bytes, rule minimum; bound: 450$/,
    ],
    ['a field of another source', mission(configured('inspection', { expose: true })), /unknown property$/],
    ['a decision with a setting', workflow(configured('decision', { max_calls: 1 })), /unknown property$/],
    [
      'an inspection without its trace',
      mission({ name: 'inspection' }),
      /^dependency_invalid inspection declaration \| .*not provided$/,
    ],
    ['an inspection with one trace', mission({ name: 'inspection' }, { name: 'private-trace' }), /^ok$/],
    [
      'an inspection with two traces',
      mission({ name: 'inspection' }, { name: 'trace' }, { name: 'private-trace' }),
      /^dependency_invalid inspection declaration \| .*more than once$/,
    ],
    [
      'two defaults',
      workflow(configured('model', { default: true }), configured('replay', { default: true })),
      /^dependency_invalid replay .*default$/,
    ],
    [
      'a private source beside a model for normal data',
      { workflow: [{ name: 'lenient' }, { name: 'model' }], mission: [{ name: 'private-trace' }] },
      /^data_policy_denied model selection at workflow\[1\]/,
    ],
    [
      'a private source beside a model that accepts it',
      { workflow: [{ name: 'lenient' }], mission: [{ name: 'private-trace' }] },
      /^ok$/,
    ],
    ['a model that accepts private data only, with normal data', workflow({ name: 'sensitive' }), /^ok$/],
  ];
  for (const [title, providers, expected] of cases) {
    it(title, async () => {
      expect(await loadText(tree(providers))).to.match(expected);
    });
  }

  it('knows no provider without a host', async () => {
    expect(await loadText({ manifest: { ...MANIFEST, providers: workflow({ name: 'model' }) } })).to.match(
      /^provider_unknown/,
    );
  });

  it('fills omitted values in from ceiling and limit, and sorts lists', async () => {
    const providers = {
      workflow: [{ name: 'model' }],
      mission: [configured('writer', { allow: ['write-it', 'read-it'] })],
    };
    const outcome = await load(
      tree(providers, { limits: { capability_result_bytes: 5000, workflow_capability_calls_per_name: 7 } }),
    );
    if (!outcome.ok) throw new Error(outcome.diagnostic.message);
    expect(outcome.value.providers.workflow[0]?.selection).to.deep.equal({
      default: false,
      max_request_bytes: 262144,
      max_response_bytes: 5000,
      max_calls: 7,
    });
    expect(outcome.value.providers.mission[0]?.selection).to.deep.equal({
      allow: ['read-it', 'write-it'],
      model_visible: ['read-it'],
      timeout_ms: 5000,
      max_result_bytes: 5000,
    });
  });

  it('refuses an export declared read that reaches a writing tool, and only that', async () => {
    const members = { missions: { m: { components: [{ id: 'helper', path: 'main.clj' }], providers: ['writer'] } } };
    const compile =
      (declared: ExportFact['declared_effect'], effect: ExportFact['effect'] = 'read'): CompileAnswer =>
      (ids) =>
        ids[0] === 'main'
          ? compiled(exportFact())
          : compiled(
              exportFact({
                ref: 'helper/f',
                effect,
                declared_effect: declared ?? null,
                requirements: ['tool:write-it'],
              }),
            );
    const files = tree(mission(configured('writer', { allow: ['write-it'] })), members);
    expect(await loadText({ ...files, compile: compile('read') })).to.match(
      /^declared_read_effect_invalid .*helper\/f is declared read but has effect write$/,
    );
    expect(await loadText({ ...files, compile: compile(null) })).to.equal('ok');
    expect(await loadText({ ...files, compile: compile('write', 'write') })).to.equal('ok');
  });

  it('counts the way into missions as the worst of them', async () => {
    const compile = () =>
      compiled(exportFact({ declared_effect: 'read', effect: 'read', requirements: ['tool:kernel-eval'] }));
    const members = { missions: { safe: {}, m: { providers: ['writer'] } } };
    const writes = tree(mission(configured('writer', { allow: ['write-it'] })), members);
    expect(await loadText({ ...writes, compile })).to.match(
      /^declared_read_effect_invalid .*main\/run is declared read but has effect write$/,
    );
    const reads = tree(mission(configured('writer', { allow: ['read-it'] })), members);
    expect(await loadText({ ...reads, compile })).to.equal('ok');
  });

  it('refuses an export declared read that reaches code of unknown effect', async () => {
    const compile = () => compiled(exportFact({ declared_effect: 'read', effect: 'unknown' }));
    expect(await loadText({ compile })).to.match(
      /^declared_read_effect_invalid .*main\/run is declared read but has effect unknown$/,
    );
  });
});

describe('provider records (documents.md §10)', () => {
  it('tell OAuth from other authorization', async () => {
    const oauth = { ...HTTP, transport: { ...HTTP.transport, oauth: OAUTH } };
    const outcome = await load({
      manifest: { ...MANIFEST, providers: mission({ name: 'a' }, { name: 'b' }) },
      host: host({ a: oauth, b: HTTP }),
    });
    if (!outcome.ok) throw new Error(outcome.diagnostic.message);
    expect(
      outcome.value.providers.mission.map((occurrence) => providerRecordOf(occurrence).authorizationMode),
    ).to.deep.equal(['oauth', 'none']);
  });
});

describe('the class of a run (documents.md §7)', () => {
  async function classes(files: Tree): Promise<unknown> {
    const outcome = await load(files);
    if (!outcome.ok) throw new Error(outcome.diagnostic.message);
    const { dataClass, flow, eventPolicy } = outcome.value.providers;
    return { dataClass, flow, eventPolicy };
  }

  it('is normal by default', async () => {
    expect(await classes({})).to.deep.equal({ dataClass: 'normal', flow: 'normal', eventPolicy: 'normal' });
  });
  it('is private with a private source', async () => {
    expect(await classes(tree(mission({ name: 'private-trace' })))).to.deep.equal({
      dataClass: 'private_inspection',
      flow: 'private',
      eventPolicy: 'private',
    });
  });
  it('is private with a private input', async () => {
    const files: Tree = {
      files: { '/desk/in.json': '{}' },
      options: { input: { path: 'in.json', dataClass: 'private' } },
    };
    expect(await classes(files)).to.deep.equal({
      dataClass: 'private_inspection',
      flow: 'private',
      eventPolicy: 'private',
    });
  });
  it('has private events where the manifest wants them', async () => {
    expect(await classes({ manifest: { ...MANIFEST, events: { policy: 'private' } } })).to.deep.equal({
      dataClass: 'normal',
      flow: 'normal',
      eventPolicy: 'private',
    });
  });
});
