import { expect } from 'chai';
import * as fc from 'fast-check';
import type { CompileFault } from '../../contract/sandbox-protocol.ts';
import { load, MANIFEST, SOURCE, type Tree } from './testing/application-tree.ts';
import { CREDENTIALS, DECISION, host, HTTP, INSPECTION, LLM, OAUTH, REPLAY, STDIO, TRACE } from './testing/hosts.ts';

/** Stands for a value, a key, a path: whatever an author or a caller wrote. */
const SECRET = 'pl4nted-s3cret';

const CONTRACT = {
  oneOf: ['a', 'b'].map((tag) => ({
    type: 'object',
    properties: {
      kind: { type: 'string', const: tag },
      list: { type: 'array', items: { type: 'integer', maximum: 3 } },
    },
    required: ['kind', 'list'],
  })),
};

const FULL: Tree = {
  manifest: {
    ...MANIFEST,
    workflow: { components: [{ id: 'main', path: 'main.clj', dependencies: [] }], entry: 'main/run' },
    missions: { m: { components: [], data: { a: 1 }, providers: ['tools'] } },
    input: { value: { kind: 'a', list: [1] } },
    contracts: { input_schema: { path: 'contract.json' } },
    providers: {
      workflow: [{ name: 'model', config: { max_calls: 1 } }],
      mission: [{ name: 'tools', config: { allow: ['read-file'] } }],
    },
    limits: { run_duration_ms: 1000 },
    labels: { name: 'n', tags: { mode: 'agent' } },
  },
  host: host(
    {
      model: LLM,
      replay: REPLAY,
      tools: STDIO,
      trace: TRACE,
      inspection: INSPECTION,
      decision: DECISION,
      http: { ...HTTP, transport: { ...HTTP.transport, oauth: OAUTH } },
    },
    { credentials: { ...CREDENTIALS, file: { file: 'key' } }, limits: { run_duration_ms: 60000 } },
  ),
  files: { '/app/contract.json': JSON.stringify(CONTRACT) },
};

/** Every way to put the secret somewhere into a JSON document: as a value, as a key, beside what is there. */
function planted(value: unknown): readonly unknown[] {
  const replacements = [SECRET, { [SECRET]: SECRET }, [SECRET]];
  if (typeof value !== 'object' || value === null) return replacements;
  const inside = Object.entries(value).flatMap(([key, child]) =>
    planted(child).map((changed) =>
      Array.isArray(value)
        ? value.map((item, index) => (String(index) === key ? changed : item))
        : { ...value, [key]: changed },
    ),
  );
  if (Array.isArray(value)) return [...replacements, [...value, SECRET], ...inside];
  const renamed = Object.keys(value).map((key) =>
    Object.fromEntries(Object.entries(value).map(([name, child]) => [name === key ? SECRET : name, child])),
  );
  return [...replacements, { ...value, [SECRET]: SECRET }, ...renamed, ...inside];
}

/** Names that the specification has a message or a source say: a component's path, a mission's provider. */
const NAMED_BY_DESIGN = new Set([
  'unknown_mission_provider',
  'duplicate_mission_provider',
  'provider_unknown',
  'mission_capability_ungranted',
  'reference_missing',
]);

async function expectNoLeak(tree: Tree): Promise<void> {
  const outcome = await load(tree);
  if (outcome.ok || NAMED_BY_DESIGN.has(outcome.diagnostic.code)) return;
  const { subject, source, ...rest } = outcome.diagnostic;
  expect(JSON.stringify(rest)).to.not.contain(SECRET);
  // Subjects name aliases and sources logical paths: nothing else of the caller's.
  if (subject !== null) expect(subject.name).to.match(/^[a-z][a-z0-9._-]{0,127}$/);
  if (source !== null && source.kind !== 'component') expect(source.name).to.not.contain(SECRET);
}

describe('what diagnostics keep to themselves (documents.md §13)', () => {
  it('the base passes every check', async () => {
    const outcome = await load(FULL);
    expect(outcome.ok ? 'ok' : outcome.diagnostic.message).to.equal('ok');
  });

  for (const part of ['manifest', 'host'] as const) {
    it(`a ${part} with a secret anywhere leaks none of it`, async () => {
      for (const changed of planted(FULL[part])) await expectNoLeak({ ...FULL, [part]: changed });
    });
  }

  it('a contract with a secret anywhere but in its names leaks none of it', async () => {
    for (const changed of planted(CONTRACT)) {
      const outcome = await load({ ...FULL, files: { '/app/contract.json': JSON.stringify(changed) } });
      // Pointers into a schema file name its own properties, and what a contract allows is the contract's to say
      // (documents.md §4).
      if (!outcome.ok && outcome.diagnostic.code === 'contract_invalid')
        expect(outcome.diagnostic.message).to.not.contain(SECRET);
    }
  });

  it('an input with a secret anywhere leaks none of it', async () => {
    for (const changed of planted({ kind: 'a', list: [1, 5] })) {
      await expectNoLeak({ ...FULL, manifest: { ...Object(FULL.manifest), input: { value: changed } } });
      await expectNoLeak({
        ...FULL,
        files: { ...FULL.files, '/desk/x.json': JSON.stringify(changed) },
        options: { input: { path: 'x.json', dataClass: 'private' } },
      });
    }
  });

  it('a text with a secret that is no JSON leaks none of it', async () => {
    for (const text of [
      SECRET,
      `{"${SECRET}"`,
      `{"${SECRET}":1,"${SECRET}":2}`,
      `{"missions":{"m":{"data":{"${SECRET}":{"a":1,"a":2}}}}}`,
    ]) {
      await expectNoLeak({ ...FULL, manifest: text });
      await expectNoLeak({ ...FULL, host: text });
      const outcome = await load({ ...FULL, files: { '/app/contract.json': text } });
      expect(!outcome.ok && outcome.diagnostic.message)
        .to.be.a('string')
        .that.does.not.contain(SECRET);
    }
  });

  it('paths of the caller never appear', async () => {
    await expectNoLeak({ ...FULL, options: { input: { path: `/${SECRET}/x.json`, dataClass: 'normal' } } });
    await expectNoLeak({ ...FULL, options: { override: `/${SECRET}.json` } });
  });

  it('a compiler that tells secrets is not believed', async () => {
    const fault = fc.record({
      reason: fc.constantFrom(
        'parse_error',
        'unbound_var',
        'duplicate_ref',
        'unknown_namespace',
        'compile_error',
        SECRET,
      ),
      message: fc.constant(SECRET),
      component: fc.constantFrom('main', SECRET, null),
      span: fc.constantFrom(null, { start_byte: 0, end_byte: 4 }, { start_byte: -1, end_byte: 1e9 }),
      details: fc.dictionary(
        fc.constantFrom('unbound_names', 'duplicate_namespace', 'duplicate_name', 'rejected_namespace', SECRET),
        fc.constantFrom<unknown>(SECRET, [SECRET], [`${SECRET} `], 1, null),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fault, async (compileFault: CompileFault) => {
        expect(SOURCE).to.not.contain(SECRET);
        await expectNoLeak({
          ...FULL,
          compile: () => ({ status: 'replied', reply: { status: 'refused', fault: compileFault } }),
        });
      }),
      { numRuns: 200 },
    );
  });
});
