import { expect } from 'chai';
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import type { RunnableApplication } from './application.ts';
import { plainApplication, type TestRun } from './testing/run-fixture.ts';
import { useRuns } from './testing/run-harness.ts';

describe('destinations (runtime.md §1 step 10, §13)', () => {
  const runs = useRuns();

  const explicit = { traceDirectory: null, inspection: null, output: null, privateOutput: null };
  const refused: readonly {
    readonly rule: string;
    readonly prepare?: (root: string) => Promise<unknown>;
    readonly request: (root: string) => Partial<TestRun>;
    readonly application?: RunnableApplication;
    readonly code: string;
  }[] = [
    {
      rule: 'no trace directory',
      request: (at) => ({ project: null, explicit: { ...explicit, traceDirectory: `${at}/none` } }),
      code: 'trace_directory_missing',
    },
    {
      rule: 'a trace directory that is a file',
      prepare: (at) => writeFile(`${at}/file`, ''),
      request: (at) => ({ project: null, explicit: { ...explicit, traceDirectory: `${at}/file` } }),
      code: 'invalid_trace_destination',
    },
    {
      rule: 'a directory that others may change',
      prepare: (at) => chmod(at, 0o777),
      request: (at) => ({ project: null, explicit: { ...explicit, output: `${at}/out.json` } }),
      code: 'result_destination_unsafe',
    },
    {
      rule: 'an output that exists',
      prepare: (at) => writeFile(`${at}/out.json`, 'mine'),
      request: (at) => ({ project: null, explicit: { ...explicit, output: `${at}/out.json` } }),
      code: 'destination_exists',
    },
    {
      rule: 'an output that is a directory',
      request: (at) => ({ project: null, explicit: { ...explicit, output: at } }),
      code: 'destination_exists',
    },
    {
      rule: 'an output below a file',
      prepare: (at) => writeFile(`${at}/file`, ''),
      request: (at) => ({ project: null, explicit: { ...explicit, output: `${at}/file/out.json` } }),
      code: 'result_directory_missing',
    },
    {
      rule: 'no parent',
      request: (at) => ({ project: null, explicit: { ...explicit, output: `${at}/none/out.json` } }),
      code: 'result_directory_missing',
    },
    {
      rule: 'an inspection of another name',
      request: (at) => ({ project: null, explicit: { ...explicit, inspection: `${at}/run.json` } }),
      code: 'invalid_inspection_destination',
    },
    {
      rule: 'an inspection of a name too long for a file',
      request: (at) => ({ project: null, explicit: { ...explicit, inspection: `${at}/${'x'.repeat(249)}.svcins` } }),
      code: 'invalid_inspection_destination',
    },
    {
      rule: 'an output of a name too long for a file',
      request: (at) => ({ project: null, explicit: { ...explicit, output: `${at}/${'é'.repeat(128)}` } }),
      code: 'invalid_result_destination',
    },
    {
      rule: 'an output in a directory of a name too long for one',
      request: (at) => ({ project: null, explicit: { ...explicit, output: `${at}/${'x'.repeat(256)}/v.json` } }),
      code: 'result_destination_unavailable',
    },
    {
      rule: 'two destinations that are one file',
      request: (at) => ({
        project: null,
        explicit: { ...explicit, inspection: `${at}/a.svcins`, output: `${at}/A.SVCINS` },
      }),
      code: 'conflicting_arguments',
    },
    {
      rule: 'a private run without destination',
      application: plainApplication({ artifactClass: 'private' }),
      request: () => ({ project: null }),
      code: 'private_destination_required',
    },
    {
      rule: 'a private run with --output',
      application: plainApplication({ artifactClass: 'private' }),
      request: (at) => ({ explicit: { ...explicit, output: `${at}/out.json` } }),
      code: 'private_destination_required',
    },
  ];
  for (const { rule, prepare, request, application, code } of refused) {
    it(`${rule}: ${code}`, async () => {
      await prepare?.(runs.root);
      const before = await readdir(runs.root);
      const done = await runs.run({ request, ...(application === undefined ? {} : { application }) });
      expect(done.envelope).to.have.nested.property('error.code', code);
      expect(done.envelope).to.deep.include({ artifact_class: 'unclassified', execution: { state: 'not_started' } });
      if (application === undefined) expect(await readdir(runs.root)).to.deep.equal(before);
      expect(await runs.leftovers()).to.deep.equal([]);
    });
  }

  it('two options that name one file are both named', async () => {
    const done = await runs.run({
      request: (at) => ({
        project: null,
        explicit: { ...explicit, inspection: `${at}/a.svcins`, output: `${at}/A.SVCINS` },
      }),
    });
    expect(done.advice.hint).to.equal('--inspect and --output name the same file; choose another for one of them');
  });

  it('of two runs with one destination exactly one gets it', async () => {
    const request = (at: string): Partial<TestRun> => ({
      project: null,
      explicit: { ...explicit, output: `${at}/out.json` },
    });
    const both = await Promise.all([runs.run({ request }), runs.run({ request })]);
    expect(both.map(({ exit }) => exit)).to.have.members([0, 7]);
  });

  it('an artifact root that others may read is refused and left as it is', async () => {
    await runs.run({});
    await chmod(`${runs.root}/.svc/traces`, 0o755);
    const done = await runs.run({});
    expect(done.envelope).to.have.nested.property('error.code', 'invalid_destination');
    expect(done.advice.hint).to.match(
      /^the artifact root of the project, directory traces, is refused: (\/.*\/\.svc\/traces) \(owner .+, group .+, mode 0755\): others may use it; run chmod 700 \1$/,
    );
    expect((await stat(`${runs.root}/.svc/traces`)).mode & 0o777).to.equal(0o755);
  });
});
