import { join } from 'node:path';
import { parseJson } from '../../../contract/json/parse.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { isRunReference } from '../../../contract/run-reference.ts';
import { REPORTS_FOLDER } from '../../evidence/publication/names.ts';
import { isSameFile, type EvidenceFiles } from '../analysis/files/evidence-files.ts';

/** Bytes and values of one report, reports of one list, and names that a folder is looked through. */
const [REPORT_BYTES, NODES_MAX, LISTED_MAX, NAMES_MAX] = [16_000_000, 1_000_000, 50, 100_000];
const FILE = /^(cmd-[0-9a-z]{26})\.json$/;

export type ReportFault = 'missing' | 'damaged' | 'too_large';
export type ReadReport =
  | { readonly ok: true; readonly report: JsonObject }
  | { readonly ok: false; readonly fault: ReportFault };

/** What is read with, and from which artifact root. */
export interface ReportPlaces {
  readonly files: EvidenceFiles;
  /** Absolute. */
  readonly root: string;
}

/** The newest reports, without their cases, and how many there are; files that are no report are left out. */
export async function listReports({
  files,
  root,
}: ReportPlaces): Promise<{ readonly reports: readonly JsonObject[]; readonly total: number }> {
  const folder = join(root, REPORTS_FOLDER);
  const names = (await files.names(folder, NAMES_MAX)) ?? [];
  const found = await Promise.all(
    names
      .flatMap((name) => FILE.exec(name)?.[1] ?? [])
      .map(async (reference) => ({
        reference,
        written: (await files.facts(join(folder, `${reference}.json`)))?.modified ?? 0n,
      })),
  );
  // References do not sort by time; a report is written once, at its end.
  const newest = found.toSorted((left, right) => Number(right.written - left.written)).slice(0, LISTED_MAX);
  const reports: JsonObject[] = [];
  for (const { reference } of newest) {
    const read = await readReport({ files, root }, reference);
    if (read.ok) reports.push(new Map([...read.report].filter(([name]) => name !== 'cases')));
  }
  return { reports, total: found.length };
}

/** One report by its reference. */
export async function readReport({ files, root }: ReportPlaces, reference: string): Promise<ReadReport> {
  if (!isRunReference(reference)) return { ok: false, fault: 'missing' };
  const opened = await files.open(join(root, REPORTS_FOLDER, `${reference}.json`));
  if (opened === null) return { ok: false, fault: 'missing' };
  try {
    const before = await opened.facts();
    if (before === null || before.kind !== 'file') return { ok: false, fault: 'missing' };
    if (before.size > BigInt(REPORT_BYTES)) return { ok: false, fault: 'too_large' };
    const bytes = await opened.read(0, Number(before.size));
    if (bytes === null || !isSameFile(before, await opened.facts())) return { ok: false, fault: 'damaged' };
    const parsed = parseJson(bytes, { bytes: REPORT_BYTES, depth: 64, nodes: NODES_MAX });
    const report = parsed.ok ? valueOf(parsed.root) : null;
    return report !== null && isReport(report, reference) ? { ok: true, report } : { ok: false, fault: 'damaged' };
  } finally {
    await opened.close();
  }
}

/** Members of a miss, and of a request that was not recorded, that hold values or prompts of a run. */
const PRIVATE: ReadonlySet<string> = new Set(['expected', 'actual', 'asked', 'recorded']);
const LISTS_WITH_VALUES: ReadonlySet<string> = new Set(['misses', 'missed_requests']);

/** A report without what its runs were given, asked and returned. */
export function withoutValues(report: JsonObject): JsonObject {
  return mapMember(report, 'cases', (one) =>
    mapMember(one, 'runs', (run) =>
      [...LISTS_WITH_VALUES].reduce(
        (changed, name) =>
          mapMember(
            changed,
            name,
            (miss) => new Map([...miss].map(([key, value]) => [key, PRIVATE.has(key) ? null : value])),
          ),
        run,
      ),
    ),
  );
}

function mapMember(object: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const list = object.get(name);
  if (list === undefined || !isJsonArray(list)) return object;
  const changed: readonly JsonValue[] = list.map((item) => (isJsonObject(item) ? change(item) : item));
  return new Map([...object, [name, changed]]);
}

function isReport(value: JsonValue, reference: string): value is JsonObject {
  return (
    isJsonObject(value) &&
    value.get('kind') === 'svc-test-report' &&
    value.get('report') === reference &&
    isJsonObject(value.get('totals') ?? null) &&
    isJsonArray(value.get('cases') ?? null)
  );
}
