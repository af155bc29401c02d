/** `svc test`: the cases of an application, each held against what it expects (first-day.md §2). */
export {
  failedTests,
  reportJson,
  testApplication,
  type TestEnd,
  type TestOptions,
} from '../authoring/trials/test-application.ts';
export type { CaseReport, FigureReport, RunReportEntry, TestReport } from '../authoring/trials/report.ts';
