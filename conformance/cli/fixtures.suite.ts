import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { validEnvelope } from './envelope-check.ts';
import { parseGroup, type Fixture, type FixtureGroup } from './fixture.ts';
import { mismatches } from './match.ts';
import { runToEnd, type Ended } from './program.ts';
import { runResident, type Run } from './resident/resident.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from './work-directory.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const RUN_REF = /cmd-[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}/;

interface Outcome extends Ended {
  /** Bytes by path of what the command left, without what was there before. */
  readonly created: ReadonlyMap<string, string>;
  readonly isUntouched: boolean;
}

async function execute(group: FixtureGroup, fixture: Fixture, argv: readonly string[], run: Run): Promise<Outcome> {
  const directory = makeWorkDirectory(group.files, fixture.files);
  try {
    const before = snapshot(directory);
    const ended = await run({ argv, directory, environment: fixture.environment });
    const after = snapshot(directory);
    return {
      ...ended,
      created: new Map([...after].filter(([path]) => !before.has(path))),
      isUntouched: [...before].every(([path, bytes]) => after.get(path) === bytes),
    };
  } finally {
    removeWorkDirectory(directory);
  }
}

function expectStreams(fixture: Fixture, { stdout, stderr }: Outcome): void {
  const { stdout: expected } = fixture;
  if (typeof expected === 'string') expect(stdout).to.equal(expected);
  else expect(stdout).to.match(new RegExp(`^(?:${expected.matches})$`, 'u'));
  expect(stderr).to.match(new RegExp(`^(?:${fixture.stderr.replaceAll('<ref>', RUN_REF.source)})$`, 'u'));
}

/** Nothing but what the case names may have appeared: no staging, no lock, no half-written file. */
function expectCreated(fixture: Fixture, { created, isUntouched }: Outcome, runRef: string): void {
  expect(isUntouched, 'a file of the caller changed').to.equal(true);
  const wanted = Object.entries(fixture.creates).map(
    ([path, content]) => [path.replaceAll('$run_ref', runRef), content] as const,
  );
  expect([...created.keys()].toSorted()).to.deep.equal(wanted.map(([path]) => path).toSorted());
  for (const [path, content] of wanted) {
    const bytes = created.get(path) ?? '';
    if (typeof content === 'string' && !content.startsWith('$')) expect(bytes).to.equal(content);
    else if (content !== null && content !== '$any')
      expect(mismatches(content, JSON.parse(bytes), runRef)).to.deep.equal([]);
  }
}

for (const file of readdirSync(FIXTURES).toSorted()) {
  const group = parseGroup(readFileSync(join(FIXTURES, file), 'utf8'));
  describe(`${group.about} (${file})`, () => {
    for (const fixture of group.cases) {
      // The first of a group as a process of its own, which shows that it makes no difference.
      const runPlain = fixture === group.cases[0] ? runToEnd : runResident;
      it(fixture.name, async () => {
        const outcome = await execute(group, fixture, fixture.argv, runPlain);
        expect({ status: outcome.status, signal: outcome.signal, stderr: outcome.stderr }).to.deep.include({
          status: fixture.status,
          signal: null,
        });
        expectStreams(fixture, outcome);
        const [runRef = ''] =
          RUN_REF.exec(outcome.stderr) ?? RUN_REF.exec([...outcome.created.values()].join('\n')) ?? [];
        expectCreated(fixture, outcome, runRef);
        if (fixture.neverShown !== null) expect(outcome.stdout + outcome.stderr).not.to.include(fixture.neverShown);
      });

      if (fixture.envelope === undefined) continue;
      it(`${fixture.name}, as envelope`, async () => {
        const outcome = await execute(group, fixture, ['--json', ...fixture.argv], runResident);
        expect(outcome.status).to.equal(fixture.status);
        expect(outcome.stdout.endsWith('\n')).to.equal(true);
        const envelope = validEnvelope(outcome.stdout);
        expect(mismatches(fixture.envelope, envelope, envelope.run_ref)).to.deep.equal([]);
        expectCreated(fixture, outcome, envelope.run_ref);
        if (fixture.neverShown !== null) expect(outcome.stdout + outcome.stderr).not.to.include(fixture.neverShown);
      });
    }
  });
}
