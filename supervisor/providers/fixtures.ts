import {
  loadFixtures,
  MAX_FIXTURE_BYTES,
  type FixtureFault,
  type ReplayFixtures,
} from '../../adapters/pool/replay-fixtures.ts';
import type { LocalFinding } from '../../contract/provider-protocol/checks.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { InstallationOf } from '../documents/host/fields.ts';
import { readHostFile } from './host-file.ts';
import type { LocalCheckTools } from './source/installed-provider.ts';

/** Whether the fixtures of a replayed source can be used (providers.md §6). */
export async function checkFixtures(
  { fixtures, ceilings }: InstallationOf<'llm_replay'> | InstallationOf<'decision_replay'>,
  { reader, hostDirectory, budget }: LocalCheckTools,
): Promise<LocalFinding | 'passed' | 'expired'> {
  const read = await readHostFile(reader, hostDirectory, fixtures, MAX_FIXTURE_BYTES);
  if (!read.ok) return unreadable('readable');
  const { bytes } = read.file;
  const limits = { maxEntries: ceilings.max_entries, maxResultBytes: ceilings.max_result_bytes };
  const loaded = budget.measure((isSpent) => loadFixtures(bytes, limits, isSpent));
  switch (loaded.status) {
    case 'loaded':
      return 'passed';
    case 'expired':
      return 'expired';
    case 'refused':
      return unreadable(placeOf(loaded.fault));
  }
}

/**
 * The fixtures of a source whose file was checked; the same bytes, since a command reads each file once. Null where it
 * cannot be used.
 */
export async function readFixtures(
  { fixtures, ceilings }: InstallationOf<'llm_replay'> | InstallationOf<'decision_replay'>,
  reader: DocumentReader,
  hostDirectory: string,
): Promise<ReplayFixtures | null> {
  const read = await readHostFile(reader, hostDirectory, fixtures, MAX_FIXTURE_BYTES);
  const loaded = read.ok
    ? loadFixtures(
        read.file.bytes,
        { maxEntries: ceilings.max_entries, maxResultBytes: ceilings.max_result_bytes },
        () => false,
      )
    : null;
  return loaded?.status === 'loaded' ? loaded.fixtures : null;
}

function placeOf({ rule, line }: FixtureFault): string {
  return `${rule}${line === null ? '' : `, line ${String(line)}`}`;
}

function unreadable(rule: string): LocalFinding {
  return { code: 'fixtures_unreadable', hint: `the fixture file breaks the rule: ${rule}` };
}
