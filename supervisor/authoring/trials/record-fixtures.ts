import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requestsPath } from '../../../adapters/pool/replay-fixtures.ts';
import { plainFromJson } from '../../../contract/json/plain.ts';
import type { Result } from '../../../contract/outcome.ts';
import { recordedCalls } from '../fixtures/recorded-calls.ts';
import { writeFixtures } from '../fixtures/write-fixtures.ts';
import { replaceFile } from '../../../system/replace-file.ts';
import { replayHostPath } from '../../documents/cases/load.ts';
import { makeDirectory } from '../../evidence/publication/make-directory.ts';
import type { RunFinished } from '../../service/embedding/types.ts';
import { replayHost, type WrittenHost } from './case-host.ts';

/** What was said to models. */
const OWNERS_ALONE = { exactly: 0o600 };

/**
 * Writes what the models of a run answered as the fixtures of its case, the requests beside them, and the host document
 * with which the case is replayed (first-day.md §2).
 */
export async function recordTrialFixtures(
  { artifacts }: RunFinished<unknown>,
  { fixtures: path, host }: { readonly fixtures: string; readonly host: WrittenHost },
): Promise<Result<{ readonly answers: number }, string>> {
  const inspection = artifacts.find(({ kind }) => kind === 'inspection');
  if (inspection === undefined) return { ok: false, fault: 'the run left no inspection from which to record' };
  const calls = await recordedCalls(await readFile(fileURLToPath(inspection.uri)));
  if (!calls.ok) return { ok: false, fault: 'the inspection of the run is not whole' };
  const { fixtures, requests, answers } = writeFixtures(calls.calls);
  if (answers === 0) return { ok: false, fault: 'no model answered in the run' };
  const document = replayHost(host, path, { directory: dirname(path), paths: 'relative' });
  makeDirectory(dirname(path));
  await replaceFile(requestsPath(path), requests, OWNERS_ALONE);
  await replaceFile(path, fixtures, OWNERS_ALONE);
  await replaceFile(replayHostPath(path), `${JSON.stringify(plainFromJson(document), null, 2)}\n`, OWNERS_ALONE);
  return { ok: true, value: { answers } };
}
