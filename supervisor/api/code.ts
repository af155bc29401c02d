/** `svc code`: programs over tools, served to one client (code-mode.md). */
import type { OpenCode } from '../code/open-code.ts';
import { serveClient, type ServeOptions } from '../code/serve/serve-client.ts';
import { publicationTools } from '../evidence/publication/published-files.ts';
import { prune } from '../history/prune/prune.ts';
import { waitingAsker } from '../service/stores/process-approvals.ts';

export { ownProgram } from '../code/imports/own-program.ts';
export { openCode, type OpenCode } from '../code/open-code.ts';
export { ownCodeArtifacts } from '../code/own-artifacts.ts';

/** Serves one client until its input ends (code-mode.md §5). */
export async function serveCode(code: OpenCode, options: ServeOptions): Promise<void> {
  const pruneEvidence = async (bound: Parameters<typeof prune>[1]) => prune(publicationTools(), bound);
  await serveClient(code, options, { waitingIn: waitingAsker, prune: pruneEvidence });
}
