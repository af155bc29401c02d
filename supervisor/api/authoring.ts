/** Help for authors: `svc validate`, `svc fixtures`, `svc materialize`, `svc host import` (cli.md §10). */
export type { LimitRemark } from '../documents/limits/outlasted.ts';
export type { ResolvedLimits } from '../documents/limits/resolve.ts';
export { validateApplication, type ValidateOptions } from '../authoring/validate-application.ts';
export { checkFixtureFile, recordFixtures } from '../authoring/fixtures/fixture-commands.ts';
export { importServers, type ImportReport } from '../authoring/import-servers/import-servers.ts';
export type { CandidateOrigin } from '../authoring/materialize/candidate-source.ts';
export type { MaterializeTask } from '../authoring/materialize/request.ts';
export { materialize, type MaterializeOptions } from '../authoring/materialize/materialize.ts';
