import { expect } from 'chai';
import type { CompileFault, GuestOutcome, CompileReply } from '../../../contract/sandbox-protocol.ts';
import { brief, compiled, exportFact, load, MANIFEST, type Tree } from '../../documents/testing/application-tree.ts';
import type { BundleName, BundleStore, CompiledReply } from './bundle-store.ts';

const SOURCE = '(ns main)\n(defn run [input] (missing input))\n';

function refused(fault: Partial<CompileFault>): GuestOutcome<CompileReply> {
  return {
    status: 'replied',
    reply: {
      status: 'refused',
      fault: { reason: 'compile_error', message: 'secret', component: 'main', span: null, details: {}, ...fault },
    },
  };
}

async function loadText(tree: Tree): Promise<string> {
  const outcome = await load(tree);
  if (outcome.ok) return 'ok';
  const { message, source, span } = outcome.diagnostic;
  const place = source === null ? '-' : source.name;
  return `${brief(outcome.diagnostic)} | ${message} | ${place}${span === null ? '' : ` [${span.start_byte},${span.end_byte})`}`;
}

const compileFault = (fault: Partial<CompileFault>) =>
  loadText({ files: { '/app/main.clj': SOURCE }, compile: () => refused(fault) });

describe('compile faults as diagnostics (language.md §13)', () => {
  const cases: readonly (readonly [string, Partial<CompileFault>, string])[] = [
    [
      'a syntax error with its place',
      { reason: 'parse_error', span: { start_byte: 3, end_byte: 3 } },
      'syntax_invalid | a component source is not well formed | main.clj [3,3)',
    ],
    [
      'undefined names that stand in the source',
      { reason: 'unbound_var', details: { unbound_names: ['missing', 'elsewhere'] } },
      'undefined_variable | undefined names: missing | main.clj',
    ],
    [
      'no name that is not in the source',
      { reason: 'unbound_var', details: { unbound_names: ['elsewhere'] } },
      'undefined_variable | a component uses names that are not defined | main.clj',
    ],
    [
      'no name that is no list',
      { reason: 'unbound_var', details: { unbound_names: 'missing' } },
      'undefined_variable | a component uses names that are not defined | main.clj',
    ],
    [
      'a duplicate definition',
      { reason: 'duplicate_ref', details: { duplicate_namespace: 'main', duplicate_name: 'run' } },
      'duplicate_definition | a name is defined twice: main/run | main.clj',
    ],
    [
      'an unknown namespace and those there are',
      {
        reason: 'unknown_namespace',
        details: { rejected_namespace: 'missing', available_namespaces: ['helper', 'bad name'] },
      },
      'unknown_namespace | a component uses an unknown namespace: missing; available: helper | main.clj',
    ],
    [
      'an unknown dependency',
      { reason: 'unknown_dependency', component: null },
      'bundle_invalid | the components do not form a bundle: a dependency names no component of its environment | -',
    ],
    [
      'a compile that took too long',
      { reason: 'compile_timeout', component: null },
      'bundle_limit_exceeded | compiling exceeded its time | -',
    ],
    [
      'an initialiser that took too much',
      { reason: 'memory_exceeded' },
      'bundle_limit_exceeded | compiling exceeded its memory | main.clj',
    ],
    [
      'any other reason by its word',
      { reason: 'invalid_signature', span: { start_byte: 0, end_byte: 9 } },
      'compile_failed | a component could not be compiled: invalid_signature | main.clj [0,9)',
    ],
    [
      'no reason that is no word',
      { reason: 'Secret reason' },
      'compile_failed | a component could not be compiled | main.clj',
    ],
    [
      'no place outside the source',
      { reason: 'parse_error', span: { start_byte: 0, end_byte: 9999 } },
      'syntax_invalid | a component source is not well formed | main.clj',
    ],
    [
      'no component that is not in the set',
      { reason: 'parse_error', component: 'secret', span: { start_byte: 0, end_byte: 1 } },
      'syntax_invalid | a component source is not well formed | -',
    ],
  ];
  for (const [title, fault, expected] of cases) {
    it(title, async () => {
      expect(await compileFault(fault)).to.equal(expected);
    });
  }

  const outcomes: readonly (readonly [GuestOutcome<CompileReply>, string])[] = [
    [{ status: 'timeout' }, 'bundle_limit_exceeded: compiling exceeded its time'],
    [
      { status: 'timeout', isHostSilent: true },
      'internal_error: the process that compiled the components stopped answering',
    ],
    [{ status: 'memory_exceeded' }, 'bundle_limit_exceeded: compiling exceeded its memory'],
    [{ status: 'host_lost', cause: 'killed' }, 'internal_error: the process that compiled the components ended'],
    [
      { status: 'host_lost', cause: 'killed', signal: 'SIGSTOP' },
      'internal_error: the process that compiled the components stopped answering',
    ],
    [{ status: 'host_lost', cause: 'exited' }, 'internal_error: the process that compiled the components ended'],
    [{ status: 'host_lost', cause: 'neighbour' }, 'internal_error: the process that compiled the components ended'],
    [{ status: 'host_lost', cause: 'protocol_violation' }, 'internal_error'],
    [
      { status: 'host_lost', cause: 'image' },
      'internal_error: the guest image of this installation is missing or damaged',
    ],
    [{ status: 'cancelled' }, 'internal_error: the command was interrupted'],
  ];
  for (const [outcome, expected] of outcomes) {
    it(`an isolate that ends with ${Object.values(outcome).join(' ')}: ${expected}`, async () => {
      const application = await load({ compile: () => outcome });
      if (application.ok) throw new Error('the application has no bundle');
      const { code, message } = application.diagnostic;
      expect(expected.includes(':') ? `${code}: ${message}` : code).to.equal(expected);
    });
  }
});

describe('sources that are never sent to a compiler', () => {
  const compile = () => {
    throw new Error('nothing is to be compiled');
  };
  it('an empty source', async () => {
    expect(await loadText({ files: { '/app/main.clj': '' }, compile })).to.match(/^compile_failed .*main\.clj$/);
  });
  it('a source that is not UTF-8, at the offending byte', async () => {
    expect(await loadText({ files: { '/app/main.clj': Uint8Array.of(40, 41, 0xff, 40) }, compile })).to.match(
      /^syntax_invalid .*main\.clj \[2,2\)$/,
    );
  });
  it('a dependency that is not there', async () => {
    const components = [{ id: 'main', path: 'main.clj', dependencies: ['nothing'] }];
    expect(
      await loadText({ manifest: { ...MANIFEST, workflow: { components, entry: 'main/run' } }, compile }),
    ).to.match(/^bundle_invalid .*main\.clj$/);
  });
  it('a cycle', async () => {
    const components = ['a', 'b'].map((id) => ({ id, path: 'main.clj', dependencies: [id === 'a' ? 'b' : 'a'] }));
    expect(
      await loadText({ manifest: { ...MANIFEST, workflow: { components, entry: 'main/run' } }, compile }),
    ).to.match(/^bundle_invalid .*cycle/);
  });
});

describe('compiling an application (runtime.md §1, step 8)', () => {
  const missions = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, { components: [{ id: 'helper', path: `${name}.clj` }] }]));
  const files = { '/app/a.clj': '(ns helper)', '/app/b.clj': '(ns helper)', '/app/c.clj': '(ns helper) ;' };

  it('compiles the workflow, then missions by name, byte-identical sets once', async () => {
    const seen: string[] = [];
    const outcome = await load({
      manifest: { ...MANIFEST, missions: missions('c', 'b', 'a') },
      files,
      compile: (ids) => {
        seen.push(ids.join());
        return compiled(exportFact());
      },
    });
    if (!outcome.ok) throw new Error(outcome.diagnostic.message);
    expect(seen).to.deep.equal(['main', 'helper', 'helper']);
    const { missions: bundles } = outcome.value.bundles;
    expect(bundles.get('a')).to.equal(bundles.get('b'));
  });

  it('has one deadline for all', async () => {
    let now = 0;
    const outcome = await load({
      manifest: { ...MANIFEST, missions: missions('a') },
      files,
      compile: () => {
        now += 5000;
        return compiled(exportFact());
      },
      options: { now: () => now },
    });
    expect(!outcome.ok && outcome.diagnostic.code).to.equal('bundle_limit_exceeded');
  });

  it('bounds each artifact and all of the missions', async () => {
    const large = (bytes: number): GuestOutcome<CompileReply> => ({
      status: 'replied',
      reply: { status: 'compiled', code: 'x'.repeat(bytes), exports: [exportFact()] },
    });
    expect(await loadText({ compile: () => large(4_000_001) })).to.match(/^bundle_limit_exceeded .*size/);
    const tree = { manifest: { ...MANIFEST, missions: missions('a', 'b', 'c') }, files };
    expect(await loadText({ ...tree, compile: () => large(2_000_000) })).to.equal('ok');
    expect(await loadText({ ...tree, compile: () => large(2_000_001) })).to.match(/^bundle_limit_exceeded .*size/);
  });

  describe('with bundles of earlier commands', () => {
    /** Holds everything, as it was given. */
    function memoryStore() {
      const acquired = new Map<string, CompiledReply>();
      const key = ({ environment, hash }: BundleName): string => `${environment} ${hash}`;
      const store: BundleStore = {
        find: async (name) => acquired.get(key(name)) ?? null,
        keep: async (name, reply) => void acquired.set(key(name), reply),
      };
      return { held: acquired, store };
    }
    const tree = { manifest: { ...MANIFEST, missions: missions('a', 'b', 'c') }, files };
    const unused = () => {
      throw new Error('nothing is to be compiled');
    };

    it('compiles nothing, and comes to the same', async () => {
      const { held, store } = memoryStore();
      const first = await load({ ...tree, options: { store } });
      expect([...held.keys()].map((name) => name.split(' ')[0])).to.deep.equal(['workflow', 'mission', 'mission']);
      const again = await load({ ...tree, options: { store }, compile: unused });
      if (!first.ok || !again.ok) throw new Error('refused');
      expect(again.value.bundles).to.deep.equal(first.value.bundles);
      expect(again.value.effectiveDigest).to.equal(first.value.effectiveDigest);
    });

    it('keeps no refusal, and finds none', async () => {
      const { held, store } = memoryStore();
      const compile = () => refused({ reason: 'parse_error' });
      for (const _ of [1, 2])
        expect(await loadText({ ...tree, compile, options: { store } })).to.match(/^syntax_invalid/);
      expect(held.size).to.equal(0);
    });

    it('still checks what is kept: exports, sizes and sources', async () => {
      const { held, store } = memoryStore();
      const entryMissing: CompiledReply = { status: 'compiled', code: 'code', exports: [] };
      const tooLarge: CompiledReply = { status: 'compiled', code: 'x'.repeat(4_000_001), exports: [exportFact()] };
      const lying = (reply: CompiledReply): BundleStore => ({ ...store, find: async () => reply });
      expect(await loadText({ options: { store: lying(entryMissing) }, compile: unused })).to.match(/^entry_invalid/);
      expect(await loadText({ options: { store: lying(tooLarge) } })).to.equal('ok');
      expect(held.size).to.equal(1);
      expect(await loadText({ options: { store: lying(tooLarge) }, files: { '/app/main.clj': '' } })).to.match(
        /^compile_failed/,
      );
    });
  });

  it('orders components after their dependencies, ties by id', async () => {
    const components = [
      { id: 'main', path: 'main.clj', dependencies: ['b', 'z'] },
      { id: 'z', path: 'a.clj' },
      { id: 'b', path: 'a.clj', dependencies: ['z'] },
      { id: 'a', path: 'a.clj' },
    ];
    const outcome = await load({ manifest: { ...MANIFEST, workflow: { components, entry: 'main/run' } }, files });
    expect(outcome.ok && outcome.value.bundles.workflow?.components.map(({ id }) => id)).to.deep.equal([
      'a',
      'z',
      'b',
      'main',
    ]);
  });
});

describe('the entry and the needs of missions (documents.md §12.8)', () => {
  const mission = { missions: { m: { components: [{ id: 'helper', path: 'main.clj' }] } } };
  const needs =
    (...requirements: string[]) =>
    (ids: readonly string[]) =>
      ids[0] === 'main' ? compiled(exportFact()) : compiled(exportFact({ ref: 'helper/f', requirements }));
  const cases: readonly (readonly [string, Tree, string])[] = [
    ['an entry that is not exported', { compile: () => compiled(exportFact({ ref: 'main/other' })) }, 'entry_invalid'],
    ['an entry that is a constant', { compile: () => compiled(exportFact({ kind: 'constant' })) }, 'entry_invalid'],
    ['an entry of two arguments', { compile: () => compiled(exportFact({ arities: [2] })) }, 'entry_invalid'],
    [
      'an entry of two or more',
      { compile: () => compiled(exportFact({ arities: [], variadic_from: 2 })) },
      'entry_invalid',
    ],
    ['an entry of any number', { compile: () => compiled(exportFact({ arities: [], variadic_from: 0 })) }, 'ok'],
    [
      'a workflow without components',
      { manifest: { ...MANIFEST, workflow: { components: [], entry: 'main/run' } } },
      'entry_invalid',
    ],
    [
      'an entry that asks for missions',
      { compile: () => compiled(exportFact({ requirements: ['tool:kernel-eval'] })) },
      'mission_undeclared',
    ],
    [
      'an entry that asks for one of its missions',
      {
        manifest: { ...MANIFEST, ...mission },
        compile: (ids) =>
          compiled(
            exportFact({ ref: `${ids[0] ?? ''}/run`, requirements: ids[0] === 'main' ? ['tool:kernel-eval'] : [] }),
          ),
      },
      'ok',
    ],
    [
      'a mission that needs what nobody grants',
      { manifest: { ...MANIFEST, ...mission }, compile: needs('tool:z', 'tool:a', 'tool:cap-list') },
      'mission_capability_ungranted',
    ],
    [
      'a mission that needs only what every mission has',
      { manifest: { ...MANIFEST, ...mission }, compile: needs('tool:cap-list', 'tool:runtime-usage') },
      'ok',
    ],
  ];
  for (const [title, tree, expected] of cases) {
    it(`${title}: ${expected}`, async () => {
      expect((await loadText(tree)).split(' | ')[0]).to.equal(expected);
    });
  }

  it('tells where the manifest lacks what programs need', async () => {
    const place = async (tree: Tree) => {
      const outcome = await load(tree);
      return outcome.ok ? undefined : outcome.inManifest?.map(({ at }) => at.join('/')).join();
    };
    expect(await place({ compile: () => compiled(exportFact({ requirements: ['tool:kernel-eval'] })) })).to.equal(
      'workflow/entry',
    );
    expect(await place({ manifest: { ...MANIFEST, ...mission }, compile: needs('tool:z') })).to.equal(
      'missions/m/providers',
    );
  });

  it('names mission and capabilities, sorted', async () => {
    const text = await loadText({ manifest: { ...MANIFEST, ...mission }, compile: needs('tool:z', 'tool:a') });
    expect(text).to.contain('mission m has no providers but needs: a, z');
  });
});
