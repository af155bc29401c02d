import { expect } from 'chai';
import { sha256Hex } from '../digest.ts';
import { brief, load, MANIFEST, SOURCE, type Tree } from '../testing/application-tree.ts';
import type { MemoryEntry } from '../testing/memory-file-system.ts';

const CANDIDATE = '(ns main)\n(defn run [input] {:better input})\n';
const digest = (text: string) => `sha256:${sha256Hex(text)}`;

const DESCRIPTOR = {
  target: { environment: 'workflow' },
  component_id: 'main',
  base_source_hash: digest(SOURCE),
  source_hash: digest(CANDIDATE),
  path: 'candidate.clj',
};

function tree(descriptor: unknown, files: Readonly<Record<string, MemoryEntry>> = {}): Tree {
  const text = typeof descriptor === 'string' ? descriptor : JSON.stringify(descriptor);
  return {
    manifest: { ...MANIFEST, missions: { m: { components: [{ id: 'main', path: 'main.clj' }] } } },
    files: { '/tmp/Descriptor.json': text, '/tmp/candidate.clj': CANDIDATE, ...files },
    options: { override: '/tmp/Descriptor.json' },
  };
}

async function loadText(files: Tree): Promise<string> {
  const outcome = await load(files);
  return outcome.ok
    ? 'ok'
    : `${brief(outcome.diagnostic)} | ${outcome.diagnostic.message.replace('the component override is refused: ', '')}`;
}

const edited = (members: object) => ({ ...DESCRIPTOR, ...members });
const MISSION = { environment: 'mission', mission: 'm' };

describe('component override (documents.md §11)', () => {
  const cases: readonly (readonly [string, Tree, string])[] = [
    ['replaces a component of the workflow', tree(DESCRIPTOR), 'ok'],
    ['replaces a component of a mission', tree(edited({ target: MISSION })), 'ok'],
    [
      'admits provenance',
      tree(
        edited({
          provenance: {
            run_id: 'r:1',
            prompt_hash: digest('p'),
            authored_at: '2026-01-02T03:04:05Z',
            accept_widened_effect: true,
          },
        }),
      ),
      'ok',
    ],
    [
      'must be readable',
      { ...tree(DESCRIPTOR), options: { override: '/tmp/none.json' } },
      'override_invalid | field descriptor, rule unreadable',
    ],
    ['must be JSON', tree('{'), 'override_invalid | field descriptor, rule syntax'],
    [
      'has no key twice',
      tree('{"target":{"environment":"workflow","environment":"workflow"}}'),
      'override_invalid "/target" | field descriptor, rule duplicate_property',
    ],
    [
      'has no other keys',
      tree(edited({ secret: 1 })),
      'override_invalid "" | field descriptor, rule unknown_property; allowed: target, component_id, base_source_hash, source_hash, path, provenance',
    ],
    [
      'has all keys',
      tree({ ...DESCRIPTOR, path: undefined }),
      'override_invalid "" | field descriptor, rule required; expected: path',
    ],
    ['must be an object', tree('[]'), 'override_invalid "" | field descriptor, rule type'],
    [
      'knows its targets',
      tree(edited({ target: { environment: 'secret' } })),
      'override_invalid "/target" | field target, rule enum; allowed: workflow, mission',
    ],
    [
      'needs the mission of a mission',
      tree(edited({ target: { environment: 'mission' } })),
      'override_invalid "/target" | field target, rule required',
    ],
    [
      'refuses other provenance',
      tree(edited({ provenance: { secret: 1 } })),
      'override_invalid "/provenance" | field provenance, rule unknown_property; allowed: run_id, prompt_hash, authored_at, accept_widened_effect',
    ],
    [
      'refuses a day that is none',
      tree(edited({ provenance: { authored_at: '2026-02-30T00:00:00Z' } })),
      'override_invalid "/provenance" | field provenance, rule pattern',
    ],
    [
      'refuses another time zone',
      tree(edited({ provenance: { authored_at: '2026-02-20T00:00:00+01:00' } })),
      'override_invalid "/provenance" | field provenance, rule pattern',
    ],
    [
      'refuses a bad id',
      tree(edited({ component_id: 'Main' })),
      'override_invalid "/component_id" | field component_id, rule pattern',
    ],
    [
      'refuses a bad digest',
      tree(edited({ source_hash: 'sha256:0' })),
      'override_invalid "/source_hash" | field source_hash, rule pattern',
    ],
    [
      'refuses a way up',
      tree(edited({ path: '../candidate.clj' })),
      'override_invalid "/path" | field path, rule pattern',
    ],
    [
      'refuses a missing candidate',
      tree(edited({ path: 'none.clj' })),
      'override_invalid "/path" | field path, rule unusable',
    ],
    [
      'refuses a candidate that leaves',
      tree(DESCRIPTOR, { '/tmp/candidate.clj': { link: '/etc/passwd' }, '/etc/passwd': 'x' }),
      'override_invalid "/path" | field path, rule unusable',
    ],
    [
      'refuses an empty candidate',
      tree(DESCRIPTOR, { '/tmp/candidate.clj': '' }),
      'override_invalid "/path" | field path, rule unusable',
    ],
    [
      'refuses other bytes',
      tree(DESCRIPTOR, { '/tmp/candidate.clj': `${CANDIDATE} ` }),
      'override_invalid "/source_hash" | field source_hash, rule mismatch',
    ],
    [
      'refuses a component that is not selected',
      tree(edited({ component_id: 'other' })),
      'override_invalid "/component_id" | field component_id, rule not_selected',
    ],
    [
      'refuses a mission that is not there',
      tree(edited({ target: { environment: 'mission', mission: 'secret' } })),
      'override_invalid "/component_id" | field component_id, rule not_selected',
    ],
    [
      'refuses another base',
      tree(edited({ base_source_hash: digest('other') })),
      'override_invalid "/base_source_hash" | field base_source_hash, rule mismatch',
    ],
    [
      'bounds the candidate',
      tree(DESCRIPTOR, { '/tmp/candidate.clj': ' '.repeat(1_048_577) }),
      'document_limit_exceeded | the component override descriptor exceeds 1048576 bytes',
    ],
    [
      'is bounded',
      tree(' '.repeat(65_537)),
      'document_limit_exceeded | the component override descriptor exceeds 65536 bytes',
    ],
  ];
  for (const [title, files, expected] of cases) {
    it(title, async () => {
      expect(await loadText(files)).to.equal(expected);
    });
  }

  it('tells an earlier fault before a later one', async () => {
    const order: readonly (readonly [string, unknown, string])[] = [
      ['target', 1, 'override_invalid "/target"'],
      ['provenance', 1, 'override_invalid "/provenance"'],
      ['component_id', 1, 'override_invalid "/component_id"'],
      ['base_source_hash', 1, 'override_invalid "/base_source_hash"'],
      ['source_hash', 1, 'override_invalid "/source_hash"'],
      ['path', 1, 'override_invalid "/path"'],
    ];
    for (const [index, [, , expected]] of order.entries()) {
      const broken = Object.fromEntries(order.slice(index).map(([field, value]) => [field, value]));
      expect((await loadText(tree(edited(broken)))).split(' | ')[0]).to.equal(expected);
    }
  });

  it('puts the candidate’s bytes in place, under the component’s id, and leaves other environments alone', async () => {
    const outcome = await load(tree(DESCRIPTOR));
    if (!outcome.ok) throw new Error(outcome.diagnostic.message);
    const [component] = outcome.value.environments.workflow;
    expect(component).to.deep.include({
      id: 'main',
      origin: 'candidate',
      sourceName: 'main',
      sourceHash: sha256Hex(CANDIDATE),
    });
    expect(outcome.value.environments.missions.get('m')?.[0]).to.deep.include({
      origin: 'local',
      sourceHash: sha256Hex(SOURCE),
    });
  });

  it('keeps provenance out of every digest', async () => {
    const [plain, claimed] = [await load(tree(DESCRIPTOR)), await load(tree(edited({ provenance: { run_id: 'r' } })))];
    if (!plain.ok || !claimed.ok) throw new Error('both load');
    expect(claimed.value.contentDigest).to.equal(plain.value.contentDigest);
    expect(claimed.value.effectiveDigest).to.equal(plain.value.effectiveDigest);
    const without = await load({ ...tree(DESCRIPTOR), options: {} });
    expect(without.ok && without.value.contentDigest).to.not.equal(plain.value.contentDigest);
  });
});
