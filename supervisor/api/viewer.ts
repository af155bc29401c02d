/** `svc viewer`: the runs of a project in a browser (cli.md §10, evidence.md §11). */
import { join } from 'node:path';
import type { Variables } from '../../system/configuration/configuration.ts';
import { PROGRAM_FILES } from '../../system/program-files.ts';
import { openLazySandbox } from '../application/lazy-sandbox.ts';
import { thisMachine } from '../application/machine.ts';
import { LOCAL_TENANT } from '../platform/tenant.ts';
import { pageApprovals } from '../service/stores/process-approvals.ts';
import type { RefusedViewer } from '../viewer/open-project.ts';
import { serveProjectPage, type RunningViewer, type ViewerRequest } from '../viewer/start-viewer.ts';

export type { StartProgram } from '../viewer/live/launch.ts';
export type { ViewerRefusal } from '../viewer/open-project.ts';

/** What `svc viewer` is asked, and of which program. */
export interface ViewerOptions extends ViewerRequest {
  /** Absolute; holds the built page, the sandbox and the libraries. */
  readonly programDirectory: string;
  readonly variables: Variables;
}

/** Serves the page on the evidence of a project until it is closed. */
export async function startViewer(options: ViewerOptions): Promise<RunningViewer | RefusedViewer> {
  const { programDirectory, variables } = options;
  const { sandbox, bundles, close: closeSandbox } = openLazySandbox(programDirectory, variables);
  return serveProjectPage(options, {
    ...thisMachine(programDirectory),
    sandbox,
    bundles,
    closeSandbox,
    variables,
    trustDomain: LOCAL_TENANT,
    pageFolder: join(programDirectory, PROGRAM_FILES.viewer, '..'),
    approvalsIn: pageApprovals,
  });
}
