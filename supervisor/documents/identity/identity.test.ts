import { expect } from 'chai';
import * as fc from 'fast-check';
import type { ValidateResult } from '../../../contract/envelope/results.ts';
import { validateResult } from '../../application/preflight/validate-result.ts';
import { load, SOURCE, type Tree } from '../testing/application-tree.ts';
import { host, LLM, STDIO } from '../testing/hosts.ts';

const CONTRACT = { type: 'object', title: 'Input', properties: { name: { type: 'string' } } };

/** An application that uses every part of a manifest. */
function full() {
  return {
    manifest: {
      $schema: 'urn:svc:schema:manifest:1',
      version: 1,
      workflow: {
        components: [
          { id: 'main', path: 'main.clj', dependencies: ['helper'] },
          { id: 'helper', path: 'helper.clj' },
        ],
        entry: 'main/run',
      },
      missions: {
        default: { components: [{ id: 'helper', path: 'helper.clj' }], data: { rate: 1.5 }, providers: ['tools'] },
      },
      input: { value: { name: 'world' } },
      contracts: { input_schema: { path: 'contract.json' } },
      providers: { workflow: [{ name: 'model' }], mission: [{ name: 'tools' }] },
      limits: { run_duration_ms: 60000 },
      events: { policy: 'normal' },
      labels: { name: 'label' },
    },
    host: host({ model: { ...LLM, params: { temperature: 1 } }, tools: STDIO }),
    files: {
      '/app/helper.clj': '(ns helper)',
      '/app/main.clj': SOURCE,
      '/app/contract.json': JSON.stringify(CONTRACT),
    } as Record<string, string>,
  };
}

type Full = ReturnType<typeof full>;

async function digests(tree: Tree): Promise<ValidateResult> {
  const application = await load(tree);
  if (!application.ok) throw new Error(`${application.diagnostic.code}: ${application.diagnostic.message}`);
  return validateResult(application.value);
}

/** Which digests an edit changes. */
async function changed(edit: (tree: Full) => Tree): Promise<readonly string[]> {
  const [before, after] = [await digests(full()), await digests(edit(full()))];
  return [
    before.application_content_digest !== after.application_content_digest ? 'content' : null,
    before.effective_application_digest !== after.effective_application_digest ? 'effective' : null,
    before.workflow_bundle_hash !== after.workflow_bundle_hash ? 'workflow' : null,
    before.mission_bundle_hashes['default'] !== after.mission_bundle_hashes['default'] ? 'mission' : null,
    before.installation_config_digests['model'] !== after.installation_config_digests['model'] ? 'model' : null,
    before.installation_config_digests['tools'] !== after.installation_config_digests['tools'] ? 'tools' : null,
  ].filter((name) => name !== null);
}

const manifest = (members: object) => (tree: Full) => ({ ...tree, manifest: { ...tree.manifest, ...members } });
const installed = (alias: string, members: object) => (tree: Full) => {
  const install = Object(tree.host['install']);
  return { ...tree, host: { ...tree.host, install: { ...install, [alias]: { ...install[alias], ...members } } } };
};
const file = (path: string, text: string) => (tree: Full) => ({ ...tree, files: { ...tree.files, [path]: text } });

describe('what digests see (documents.md §10)', () => {
  const edits: readonly (readonly [string, (tree: Full) => Tree, readonly string[]])[] = [
    ['nothing', (tree) => tree, []],
    ['another input value', manifest({ input: { value: { name: 'moon' } } }), []],
    ['$schema', manifest({ $schema: 'urn:x' }), ['content']],
    ['a label', manifest({ labels: { name: 'other' } }), ['content']],
    ['an event identity', manifest({ events: { policy: 'normal', run_id: 'r' } }), ['content']],
    ['a default written out', manifest({ events: {} }), ['content']],
    ['the event policy', manifest({ events: { policy: 'private' } }), ['content', 'effective']],
    ['a limit', manifest({ limits: { run_duration_ms: 60001 } }), ['content', 'effective']],
    ['a default limit written out', manifest({ limits: { run_duration_ms: 60000, protocol_errors: 64 } }), ['content']],
    [
      'mission data',
      manifest({ missions: { default: { ...full().manifest.missions.default, data: { rate: 1.25 } } } }),
      ['content', 'effective'],
    ],
    [
      'a selection',
      manifest({
        providers: { ...full().manifest.providers, workflow: [{ name: 'model', config: { max_calls: 1 } }] },
      }),
      ['content', 'effective'],
    ],
    ['a source byte of the workflow', file('/app/main.clj', `${SOURCE};`), ['content', 'effective', 'workflow']],
    ['a source byte of both', file('/app/helper.clj', '(ns helper) '), ['content', 'effective', 'workflow', 'mission']],
    ['a contract’s spelling', file('/app/contract.json', JSON.stringify(CONTRACT, null, 2)), ['content']],
    ['a contract’s title', file('/app/contract.json', JSON.stringify({ ...CONTRACT, title: 'x' })), ['content']],
    [
      'a contract’s demand',
      file('/app/contract.json', JSON.stringify({ ...CONTRACT, required: ['name'] })),
      ['content', 'effective'],
    ],
    ['a model', installed('model', { model: 'openai:gpt' }), ['model']],
    [
      'a parameter as a float',
      (tree) => ({ ...tree, host: JSON.stringify(tree.host).replace('"temperature":1', '"temperature":1.0') }),
      [],
    ],
    ['a default of the host written out', installed('model', { cache: false }), []],
    ['an installation revision', installed('model', { installation_revision: 'r2' }), ['effective']],
    [
      'the order of a set',
      installed('model', { accepts_data: ['normal', 'private_inspection'] }),
      ['effective', 'model'],
    ],
    ['the order of arguments', installed('tools', { transport: { ...STDIO.transport, args: ['a', 'b'] } }), ['tools']],
    [
      'a secret',
      (tree) => ({ ...tree, host: { ...tree.host, credentials: { 'model-key': { literal: 'secret' } } } }),
      [],
    ],
    [
      'another installation',
      (tree) => ({ ...tree, host: { ...tree.host, install: { ...Object(tree.host['install']), other: STDIO } } }),
      [],
    ],
    [
      'a limit that no identity holds',
      (tree) => ({ ...tree, host: { ...tree.host, limits: { doctor_connectivity_timeout_ms: 500 } } }),
      [],
    ],
    [
      'a limit of the host alone',
      (tree) => ({ ...tree, host: { ...tree.host, limits: { local_preflight_timeout_ms: 500 } } }),
      ['effective'],
    ],
    ['a budget', (tree) => ({ ...tree, host: { ...tree.host, limits: { llm_total_tokens: 1000 } } }), ['effective']],
    ['inspection capture', (tree) => ({ ...tree, options: { inspectionCapture: true } }), ['effective']],
  ];
  for (const [title, edit, expected] of edits) {
    it(`${title}: ${expected.length === 0 ? 'unseen' : expected.join(', ')}`, async () => {
      expect(await changed(edit)).to.deep.equal(expected);
    });
  }

  it('does not see the order of lists that are sets', async () => {
    const first = await digests(installed('model', { accepts_data: ['private_inspection', 'normal'] })(full()));
    const second = await digests(installed('model', { accepts_data: ['normal', 'private_inspection'] })(full()));
    expect(first).to.deep.equal(second);
  });

  it('does not see file names in bundles, nor the order of members anywhere but in content', async () => {
    const renamed = full();
    const tree = {
      ...renamed,
      manifest: {
        ...renamed.manifest,
        workflow: {
          entry: 'main/run',
          components: [
            { path: 'lib/h.clj', id: 'helper' },
            { dependencies: ['helper'], path: 'main.clj', id: 'main' },
          ],
        },
      },
      files: { ...renamed.files, '/app/lib/h.clj': '(ns helper)' },
    };
    const [before, after] = [await digests(full()), await digests(tree)];
    expect(after.workflow_bundle_hash).to.equal(before.workflow_bundle_hash);
    expect(after.effective_application_digest).to.equal(before.effective_application_digest);
    expect(after.application_content_digest).to.not.equal(before.application_content_digest);
  });

  it('gives every text of a source a bundle hash of its own', async () => {
    const seen = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.isWellFormed()),
        async (text) => {
          const { workflow_bundle_hash: hash } = await digests({ files: { '/app/main.clj': text } });
          expect(seen.get(hash) ?? text).to.equal(text);
          seen.set(hash, text);
        },
      ),
      { numRuns: 50 },
    );
  });
});
