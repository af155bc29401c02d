import { custom } from './custom/source.ts';
import type { CustomInstallation } from './custom/installation.ts';
import type { HostDocument, Installation } from '../documents/host/fields.ts';
import type { InstalledProvider } from './source/installed-provider.ts';
import { decision, decisionReplay } from './decisions.ts';
import { llm } from './llm.ts';
import { mcp } from './mcp.ts';
import { openapi } from './openapi.ts';
import { llmReplay } from './replay.ts';
import { inspectionSnapshot, svcPrivateTraceSnapshot, svcTraceSnapshot } from './snapshots.ts';

/** What can be installed under a name: by the host document, or by the program that runs the application. */
export type AnyInstallation = Installation | CustomInstallation;
type SourceName = AnyInstallation['source'];

/** A method, whose parameter may be narrower than what the caller has: `installedProvider` keeps the two together. */
interface Source<I> {
  install(installation: I, host: HostDocument | null): InstalledProvider;
}

/** The sources of providers (providers.md §1), and all that any step of a command knows of one. */
const SOURCES: { readonly [S in SourceName]: Source<Extract<AnyInstallation, { readonly source: S }>> } = {
  llm: { install: llm },
  llm_replay: { install: llmReplay },
  mcp: { install: mcp },
  openapi: { install: openapi },
  svc_trace_snapshot: { install: svcTraceSnapshot },
  svc_private_trace_snapshot: { install: svcPrivateTraceSnapshot },
  svc_inspection_snapshot: { install: inspectionSnapshot },
  decision: { install: decision },
  decision_replay: { install: decisionReplay },
  custom: { install: custom },
};

/** One installation as every step of a command sees it. `host`: the document that it is in, or beside which it is. */
export function installedProvider(installation: AnyInstallation, host: HostDocument | null): InstalledProvider {
  const source: Source<AnyInstallation> = SOURCES[installation.source];
  return source.install(installation, host);
}
