import { expect } from 'chai';
import { load, MANIFEST, verdict } from '../testing/application-tree.ts';

const edited = (members: object) => ({ ...MANIFEST, ...members });
const workflow = (members: object) => edited({ workflow: { ...MANIFEST.workflow, ...members } });
const components = (...list: unknown[]) => workflow({ components: list });
const main = { id: 'main', path: 'main.clj' };
const mission = (members: object) => edited({ missions: { 'secret-mission': members } });

describe('svc.json by itself (documents.md §3)', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['admits the smallest manifest', MANIFEST, 'ok'],
    ['takes an integral float for an integer', JSON.stringify(MANIFEST).replace('"version":1', '"version":1.0'), 'ok'],
    ['refuses what is no JSON', '{', 'invalid_json'],
    ['skips a byte order mark', `\uFEFF${JSON.stringify(MANIFEST)}`, 'ok'],
    ['refuses a second byte order mark', '\uFEFF\uFEFF{}', 'invalid_json'],
    ['refuses a comment', '{} // no', 'invalid_json'],
    ['refuses an array', '[]', 'schema_violation ""'],
    ['tells a missing name', { version: 1, workflow: MANIFEST.workflow }, 'required_property_missing "/input"'],
    [
      'tells the deepest fault',
      { version: 2, workflow: { components: [] } },
      'required_property_missing "/workflow/entry"',
    ],
    ['refuses an unknown property at its parent', edited({ secret: 1 }), 'schema_violation ""'],
    ['refuses null for absent', edited({ labels: null }), 'schema_violation "/labels"'],
    ['refuses another version', edited({ version: 2 }), 'schema_violation "/version"'],
    ['refuses a wrong entry', workflow({ entry: 'run' }), 'schema_violation "/workflow/entry"'],
    ['refuses a line feed after the entry', workflow({ entry: 'main/run\n' }), 'schema_violation "/workflow/entry"'],
    [
      'refuses a capital in a path',
      components({ id: 'main', path: 'Main.clj' }),
      'schema_violation "/workflow/components/0/path"',
    ],
    [
      'refuses a way up',
      components({ id: 'main', path: '../main.clj' }),
      'schema_violation "/workflow/components/0/path"',
    ],
    [
      'refuses a component of both kinds',
      components({ ...main, library: 'agent.core' }),
      'schema_violation "/workflow/components/0"',
    ],
    ['refuses a hidden mission name as *', mission({ secret: 1 }), 'schema_violation "/missions/*"'],
    ['refuses a bad mission name at the map', edited({ missions: { 'Bad Name': {} } }), 'schema_violation "/missions"'],
    [
      'refuses seventeen missions',
      edited({ missions: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`m${i}`, {}])) }),
      'schema_violation "/missions"',
    ],
    ['refuses an input of both kinds', edited({ input: { value: {}, path: 'a' } }), 'schema_violation "/input"'],
    ['refuses an input value that is no object', edited({ input: { value: [] } }), 'input_invalid "/input/value"'],
    [
      'refuses a limit out of range',
      edited({ limits: { run_duration_ms: 0 } }),
      'schema_violation "/limits/run_duration_ms"',
    ],
    [
      'refuses an installed-only limit',
      edited({ limits: { local_preflight_timeout_ms: 1 } }),
      'schema_violation "/limits"',
    ],
    [
      'refuses a limit above its ceiling',
      edited({ limits: { run_duration_ms: 1800001 } }),
      'installed_limit_exceeded "/limits/run_duration_ms"',
    ],
    [
      'refuses a limit that is off',
      edited({ limits: { llm_total_tokens: 1 } }),
      'limit_unavailable "/limits/llm_total_tokens"',
    ],
    [
      'refuses an entry form that does not fit',
      edited({ limits: { entry_source_bytes: 20 } }),
      'limit_configuration_invalid',
    ],
    ['admits an entry form that just fits', edited({ limits: { entry_source_bytes: 21 } }), 'ok'],
    [
      'refuses events that do not fit',
      edited({ limits: { normal_event_bytes: 786_000 } }),
      'limit_configuration_invalid',
    ],
    [
      'keeps nothing free for private events',
      edited({ events: { policy: 'private' }, limits: { normal_event_bytes: 786_000 } }),
      'ok',
    ],
    [
      'refuses an unknown tag',
      edited({ labels: { tags: { mode: 'secret' } } }),
      'schema_violation "/labels/tags/mode"',
    ],
    [
      'refuses a listed name twice',
      edited({ providers: { workflow: [{ name: 'a' }, { name: 'a' }] } }),
      'schema_violation "/providers/workflow"',
    ],
    [
      'refuses an unknown mission provider',
      mission({ providers: ['nobody'] }),
      'unknown_mission_provider "/missions/*/providers"',
    ],
    [
      'refuses a mission provider twice',
      edited({ missions: { m: { providers: ['a', 'a'] } }, providers: { mission: [{ name: 'a' }] } }),
      'duplicate_mission_provider "/missions/*/providers"',
    ],
    ['refuses one id twice', components(main, main), 'schema_violation'],
    ['refuses an unknown library', components(main, { library: 'nothing' }), 'schema_violation'],
    [
      'refuses unsorted dependencies',
      components({ ...main, dependencies: ['b', 'a'] }),
      'schema_violation "/workflow/components/0/dependencies"',
    ],
    [
      'refuses repeated dependencies',
      components({ ...main, dependencies: ['a', 'a'] }),
      'schema_violation "/workflow/components/0/dependencies"',
    ],
    [
      'refuses 129 listed components',
      edited({
        workflow: {
          ...MANIFEST.workflow,
          components: Array.from({ length: 128 }, (_, i) => ({ id: `c${i}`, path: 'main.clj' })),
        },
        missions: { m: { components: [main] } },
      }),
      'schema_violation "/missions"',
    ],
    [
      'tells duplicates at the object that holds them',
      '{"version":1,"workflow":{"entry":"a/b","entry":"a/c"}}',
      'duplicate_property "/workflow"',
    ],
    [
      'tells an object’s own duplicates before its children’s',
      '{"a":{"b":1,"b":2},"version":1,"version":1}',
      'duplicate_property ""',
    ],
    [
      'tells duplicates in free data at the data',
      '{"version":1,"missions":{"m":{"data":{"secret":{"k":1,"k":2}}}}}',
      'duplicate_property "/missions/*/data"',
    ],
    ['tells duplicates after unescaping', '{"version":1,"v\\u0065rsion":1}', 'duplicate_property ""'],
  ];
  for (const [title, manifest, expected] of cases) {
    it(title, async () => {
      expect(verdict(await load({ manifest }))).to.equal(expected);
    });
  }

  it('tells the rule and what the schema owns, never the value', async () => {
    const outcome = await load({ manifest: edited({ labels: { tags: { mode: 'secret' } } }) });
    expect(!outcome.ok && outcome.diagnostic.message).to.equal(
      'the application document violates rule enum; allowed: agent, deterministic, direct, wrapper, repl',
    );
  });

  it('fills defaults in and keeps the class of free numbers', async () => {
    const outcome = await load({ manifest: mission({ data: { a: 1, b: 2 } }) });
    if (!outcome.ok) throw new Error(outcome.diagnostic.message);
    const { manifest } = outcome.value;
    expect(manifest.events).to.deep.equal({ policy: 'normal' });
    expect(manifest.providers).to.deep.equal({ workflow: [], mission: [] });
    expect(manifest.missions.get('secret-mission')).to.deep.include({ components: [], providers: [] });
  });
});

describe('reading the manifest (documents.md §2)', () => {
  it('tells absent from unusable', async () => {
    expect(verdict(await load({ files: { '/app/svc.json': { link: 'nowhere' } } }))).to.equal('application_not_found');
    expect(verdict(await load({ files: { '/app/svc.json': { special: true } } }))).to.equal('application_unavailable');
    expect(verdict(await load({ files: { '/app/svc.json': { link: 'svc.json' } } }))).to.equal(
      'application_unavailable',
    );
  });

  it('tells invalid UTF-8 as a fault of the JSON', async () => {
    expect(verdict(await load({ files: { '/app/svc.json': Uint8Array.of(0x7b, 0xff) } }))).to.equal('invalid_json');
  });

  it('refuses too large, too deep and too many', async () => {
    expect(verdict(await load({ manifest: ' '.repeat(1_000_001) }))).to.equal('document_limit_exceeded');
    expect(verdict(await load({ manifest: '['.repeat(65) + ']'.repeat(65) }))).to.equal('document_limit_exceeded');
    expect(verdict(await load({ manifest: `[${'1,'.repeat(100_000)}1]` }))).to.equal('document_limit_exceeded');
  });
});
