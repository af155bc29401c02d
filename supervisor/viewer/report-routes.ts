import { listReports, readReport, withoutValues, type ReportFault } from '../history/reports/read-reports.ts';
import { members } from '../history/analysis/members.ts';
import { refuseViewerRequest, renderJson, type HttpAnswer } from './answers.ts';
import type { EvidencePlaces } from './evidence.ts';

export type ReportEvidence = Pick<EvidencePlaces, 'files' | 'root' | 'showsPrivate'>;

const FAULTS: Readonly<Record<ReportFault, readonly [status: number, message: string]>> = {
  missing: [404, 'there is no report of this reference; svc test keeps one of each call'],
  damaged: [422, 'the file of this report is damaged, or was not written by svc test'],
  too_large: [413, 'this report is larger than the viewer reads; svc test --json has all of it'],
};

/** The newest reports of `svc test`, without their cases. */
export async function serveReports(evidence: ReportEvidence): Promise<HttpAnswer> {
  const { reports, total } = await listReports(evidence);
  return renderJson(200, members({ reports, total }));
}

/** One report; what its runs were asked and returned only where private evidence is shown. */
export async function serveReport(evidence: ReportEvidence, reference: string): Promise<HttpAnswer> {
  const read = await readReport(evidence, reference);
  if (!read.ok) {
    const [status, message] = FAULTS[read.fault];
    return refuseViewerRequest(status, `report_${read.fault}`, message);
  }
  return renderJson(200, members({ report: evidence.showsPrivate ? read.report : withoutValues(read.report) }));
}
