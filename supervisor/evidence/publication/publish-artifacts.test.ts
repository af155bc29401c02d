import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { appendFile, truncate, writeFile } from 'node:fs/promises';
import { nodeFileSystem } from './node-file-system.ts';
import { processOwnerProbe, type OwnerProbe } from './owner.ts';
import type { Publication } from './protocol.ts';
import { publishArtifacts, type ArtifactReservations, type StagedContent } from './publish-artifacts.ts';
import { openStagedStream } from './staging.ts';
import {
  releaseReservation,
  reserve,
  type Reservation,
  type ReservationFault,
  type ReservationRequest,
} from './reservation.ts';
import type { PublicationFileSystem } from './file-system.ts';
import { Crash, faultyFileSystem, type Injection } from './testing/faulty-file-system.ts';
import { afterDeath, contentsOf, removeScratch, scratchDirectory } from './testing/scratch.ts';

const RECOVERY = '.svc-private-result-cmd-test.json';
const TRACE = `${JSON.stringify({
  data: { missions: {}, workflow_prelude: { component_ids: [], dependency_indices: [], hash: null } },
  run_id: 'r',
  schema_version: 2,
  sequence: 1,
  timestamp: '2030-01-02T03:04:05.000006Z',
  trace_id: 'r',
  type: 'run-started',
})}\n`;
const RESULT = '{"greeting":"hello world"}';

interface Attempt {
  readonly refused: ReservationFault | null;
  readonly publication: Publication | null;
}

/** One whole life of a trace and a result below `root`: reserve, publish, release. */
async function attempt(
  fileSystem: PublicationFileSystem,
  owners: OwnerProbe,
  root: string,
  recovery: string | null,
): Promise<Attempt> {
  const tools = { fileSystem, owners, wallClock: Date.now };
  const request = (name: string): ReservationRequest => ({
    directory: root,
    name,
    mode: 0o600,
    recovery: null,
    nameIsUnique: false,
  });
  const trace = await reserve(tools, request('run.jsonl'));
  if (!trace.ok) return { refused: trace.fault, publication: null };
  const result = await reserve(tools, { ...request('value.json'), recovery });
  if (!result.ok) {
    await releaseReservation(trace.reservation);
    return { refused: result.fault, publication: null };
  }
  const reservations: ArtifactReservations = { trace: trace.reservation, inspection: null, result: result.reservation };
  const publication = await publishArtifacts(fileSystem, reservations, {
    trace: { staged: await staged(trace.reservation, TRACE) },
    inspection: null,
    result: bytes(RESULT),
  });
  for (const reservation of [result.reservation, trace.reservation] satisfies readonly Reservation[])
    await releaseReservation(reservation);
  return { refused: null, publication };
}

/** A trace that was spooled while a run went on. */
async function staged({ staging, request }: Reservation, text: string): Promise<StagedContent | null> {
  const opened = await openStagedStream(staging, request.mode);
  if (!opened.ok) return null;
  const file = opened.value;
  const isWhole = (await file.write(bytes(text))) && (await file.sync());
  await file.close();
  return isWhole
    ? { identity: file.identity, bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') }
    : null;
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function inject(
  root: string,
  recovery: string | null,
  injection: Injection | null,
): Promise<{ attempt: Attempt | 'crashed'; calls: number }> {
  const faulty = faultyFileSystem(nodeFileSystem(), injection);
  try {
    return { attempt: await attempt(faulty.fileSystem, processOwnerProbe(), root, recovery), calls: faulty.calls() };
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    return { attempt: 'crashed', calls: faulty.calls() };
  } finally {
    await faulty.closeAll();
  }
}

async function inScratch(action: (root: string) => Promise<void>): Promise<void> {
  const root = await scratchDirectory();
  try {
    await action(root);
  } finally {
    await removeScratch(root);
  }
}

/** No partial file under a final name: each is absent or whole. */
function expectWholeOrAbsent(contents: Readonly<Record<string, string | null>>, describedAs: string): void {
  expect([undefined, TRACE], describedAs).to.include(contents['run.jsonl']);
  expect([undefined, RESULT], describedAs).to.include(contents['value.json']);
  expect([undefined, '', RESULT], describedAs).to.include(contents[RECOVERY]);
}

describe('publication of artifacts (runtime.md §12, §14)', () => {
  for (const recovery of [null, RECOVERY]) {
    const manner = recovery === null ? 'a normal result' : 'a result with recovery';

    it(`${manner}: leaves exactly its artifacts`, async () => {
      await inScratch(async (root) => {
        const { attempt: done } = await inject(root, recovery, null);
        expect(done).to.have.nested.property('publication.failures').that.deep.equals([]);
        expect(await contentsOf(root)).to.deep.equal({ 'run.jsonl': TRACE, 'value.json': RESULT });
      });
    });

    for (const errno of ['EIO', 'EEXIST', 'ENOENT']) {
      it(`${manner}: ${errno} at any one call leaves no partial file and tells the state of each`, async () => {
        const { calls } = await measure(recovery);
        for (let at = 1; at <= calls; at += 1) {
          await inScratch(async (root) => {
            const { attempt: done } = await inject(root, recovery, { at, manner: { kind: 'error', errno } });
            const contents = await contentsOf(root);
            const place = `call ${at} of ${calls}`;
            expectWholeOrAbsent(contents, place);
            if (done !== 'crashed') expectTruthful(done, contents, place);
          });
        }
      });
    }

    for (const when of ['before', 'after'] as const) {
      it(`${manner}: killed ${when} any one call, the next run can publish`, async () => {
        const { calls } = await measure(recovery);
        for (let at = 1; at <= calls; at += 1) {
          await inScratch(async (root) => {
            await inject(root, recovery, { at, manner: { kind: 'crash', when } });
            const left = await contentsOf(root);
            const place = `call ${at} of ${calls}`;
            expectWholeOrAbsent(left, place);
            await expectNextRun(root, recovery, left, place);
          });
        }
      });
    }
  }

  const NOT_PUBLISHED: Readonly<
    Record<string, (reservation: Reservation, root: string) => Promise<StagedContent | null>>
  > = {
    'that could not be written, or no reader would take': async () => null,
    'whose file was changed behind it': async (reservation, root) => {
      const content = await staged(reservation, TRACE);
      await writeFile(`${root}/${reservation.staging.name}/content`, TRACE.replace('"r"', '"x"'));
      return content;
    },
    'whose file has grown': async (reservation, root) => {
      const content = await staged(reservation, TRACE);
      await appendFile(`${root}/${reservation.staging.name}/content`, TRACE);
      return content;
    },
    'whose file was cut': async (reservation, root) => {
      const content = await staged(reservation, TRACE);
      await truncate(`${root}/${reservation.staging.name}/content`, TRACE.length - 1);
      return content;
    },
  };
  for (const [title, contentOf] of Object.entries(NOT_PUBLISHED)) {
    it(`a trace ${title} is not published`, async () => {
      await inScratch(async (root) => {
        const tools = { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now };
        const reserved = await reserve(tools, {
          directory: root,
          name: 'run.jsonl',
          mode: 0o600,
          recovery: null,
          nameIsUnique: true,
        });
        if (!reserved.ok) throw new Error('the destination is free');
        const { states, failures } = await publishArtifacts(
          tools.fileSystem,
          { trace: reserved.reservation, inspection: null, result: null },
          { trace: { staged: await contentOf(reserved.reservation, root) }, inspection: null, result: null },
        );
        await releaseReservation(reserved.reservation);
        expect([states.trace, failures, await contentsOf(root)]).to.deep.equal([
          'failed',
          ['trace_publication_failed'],
          {},
        ]);
      });
    });
  }

  it('a target that appears late is not replaced; a kept value stays findable', async () => {
    for (const recovery of [null, RECOVERY]) {
      await inScratch(async (root) => {
        const real = nodeFileSystem();
        const late: PublicationFileSystem = {
          ...real,
          status: async (path) => {
            // The check before each write is the last moment at which a stranger can still come first.
            if (path === root) await writeFile(`${root}/value.json`, 'foreign', { flag: 'wx' }).catch(() => null);
            return real.status(path);
          },
        };
        const tools = { fileSystem: real, owners: processOwnerProbe(), wallClock: Date.now };
        const reserved = await reserve(tools, {
          directory: root,
          name: 'value.json',
          mode: 0o600,
          recovery,
          nameIsUnique: false,
        });
        if (!reserved.ok) throw new Error('the destination is free');
        const publication = await publishArtifacts(
          late,
          { trace: null, inspection: null, result: reserved.reservation },
          { trace: null, inspection: null, result: bytes(RESULT) },
        );
        await releaseReservation(reserved.reservation);
        const contents = await contentsOf(root);
        expect(publication.failures).to.deep.equal(['destination_collision']);
        expect(publication.states.result).to.equal(recovery === null ? 'failed' : 'recovery_written');
        expect(contents).to.deep.equal({
          'value.json': 'foreign',
          ...(recovery === null ? {} : { [RECOVERY]: RESULT }),
        });
      });
    }
  });
});

async function measure(recovery: string | null): Promise<{ calls: number }> {
  let calls = 0;
  await inScratch(async (root) => {
    calls = (await inject(root, recovery, null)).calls;
  });
  return { calls };
}

/** What the states say is what lies on the disk. */
function expectTruthful(
  { publication }: Attempt,
  contents: Readonly<Record<string, string | null>>,
  place: string,
): void {
  if (publication === null) {
    expect(contents, place).to.not.have.any.keys('run.jsonl', 'value.json');
    return;
  }
  const { states } = publication;
  expect(contents['run.jsonl'] !== undefined || states.trace !== 'written', place).to.equal(true);
  if (states.trace === 'not_written') expect(contents, place).to.not.have.property('run.jsonl');
  if (states.result === 'written') expect(contents['value.json'], place).to.equal(RESULT);
  if (states.result === 'recovery_written') expect(contents[RECOVERY], place).to.equal(RESULT);
  if (states.result === 'failed' || states.result === 'not_written')
    expect(contents, place).to.not.have.property('value.json');
  const everythingWritten = states.trace === 'written' && states.result === 'written';
  expect(publication.failures.length === 0, place).to.equal(everythingWritten);
}

/** The dead run's leftovers are swept; only whole artifacts and a synced value stay (runtime.md §12). */
async function expectNextRun(
  root: string,
  recovery: string | null,
  left: Readonly<Record<string, string | null>>,
  place: string,
): Promise<void> {
  const next = await attempt(nodeFileSystem(), afterDeath(), root, recovery);
  if (left['run.jsonl'] !== undefined || left['value.json'] !== undefined) {
    expect(next.refused, place).to.deep.equal({ kind: 'exists' });
  } else if (left[RECOVERY] === RESULT) {
    expect(next.refused?.kind, place).to.equal('recovery_not_reservable');
  } else {
    expect(next.publication?.failures, place).to.deep.equal([]);
  }
  const now = await contentsOf(root);
  expectWholeOrAbsent(now, place);
  if (left[RECOVERY] === RESULT) expect(now[RECOVERY], place).to.equal(RESULT);
}
