import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BYTE_ORDER_MARK, withoutByteOrderMark } from '../../contract/byte-order-mark.ts';
import { replaceDocument } from '../../system/replace-file.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import { serve } from './serve.ts';
import { openLog, type GatewayLog } from './observation/log.ts';
import { catalogueOfTools, offeredCode } from './code/offered.ts';
import { findArtifactRootCause } from './start/artifact-root.ts';
import { refusedStart, type StartFault, type Started } from './start/codes.ts';
import { loadGatewayDocuments } from './start/documents.ts';
import type { GatewayOptions, RunningGateway } from './start/options.ts';
import { writePinsInto, type ToolPins } from './start/pinned-text.ts';
import {
  acquireAll,
  captureBearer,
  openRoundSeal,
  checkTools,
  closeRecording,
  installationFault,
  openRecording,
  readEnvironment,
  snapshotFault,
  type Opened,
} from './start/stages.ts';
import { readTlsFiles } from './start/tls-files.ts';
import { startSupervisor } from '../service/runs/create.ts';
import { openUserGrants } from '../service/stores/user-grants.ts';

/** What a gateway is opened for: to print pins that its document may not have, to be looked at, or to serve. */
type Purpose = 'pins' | 'check' | 'serve';

/** Stages 1 and 2, and the supervisor that compiles and runs. */
async function openGateway(options: GatewayOptions, purpose: Purpose): Promise<Started<Opened>> {
  const reader = createDocumentReader(options.documents, options.workingDirectory);
  const isToBePinned = purpose === 'pins' || options.ignoresPins;
  const loaded = await loadGatewayDocuments(reader, options.document, isToBePinned ? 'to_be_pinned' : 'pinned');
  if (!loaded.ok) return loaded;
  const { tls: names } = options.exposure;
  const tls = purpose === 'pins' || names === null ? null : await readTlsFiles(names);
  if (tls?.ok === false) return tls;
  const {
    document: { artifacts, admission },
    artifactRoot,
  } = loaded.value;
  // A root that no call leaves anything in is not made (documents.md §6).
  const isWritten = purpose === 'serve' && artifacts !== undefined && (artifacts.trace || artifacts.inspection);
  const cause =
    purpose === 'pins' || artifactRoot === null
      ? null
      : await findArtifactRootCause(artifactRoot, isWritten ? 'made' : 'judged');
  if (cause !== null) {
    const place = loaded.value.placeOf(['artifacts', 'root']);
    return refusedStart('artifact_root_unavailable', { ...cause, place });
  }
  const environment = { values: options.variables };
  const {
    max_concurrent_runs: maxRuns,
    max_active_provider_calls: maxProviderCalls,
    max_waiting_provider_calls: maxWaitingCalls,
  } = admission;
  const supervisor = await startSupervisor({
    programDirectory: options.programDirectory,
    // What the operator granted with `svc auth login`; tools share it (world.md §2.5).
    stores: { grants: openUserGrants(options.variables) },
    ...(artifactRoot !== null && isWritten ? { artifacts: () => artifactRoot } : {}),
    limits: { maxRuns, maxQueued: options.maxWaitingCalls, maxProviderCalls, maxWaitingCalls },
    // A tenant for each tool: nothing of one is ever in a process of another.
    tenant: () => ({ maxRuns, maxQueued: options.maxWaitingCalls }),
    variables: () => environment.values,
  });
  return { ok: true, value: { documents: loaded.value, reader, supervisor, environment, tls: tls?.value ?? null } };
}

/** To the log, with its cause (gateway.md §1). */
function logFault({ log }: GatewayOptions, { tool, code, why }: StartFault): void {
  log.report('startup_failed', { tool, code, ...(why === null ? {} : { cause: why.cause, pointer: why.pointer }) });
}

/** `--check`: stages 1 to 4, every fault of every tool; empty: it would start as far as that. */
export async function checkGateway(options: GatewayOptions): Promise<readonly StartFault[]> {
  const opened = await openGateway(options, 'check');
  const faults = opened.ok ? await checkOpened(options, opened.value) : [opened.fault];
  for (const fault of faults) logFault(options, fault);
  return faults;
}

async function checkOpened(options: GatewayOptions, opened: Opened): Promise<readonly StartFault[]> {
  try {
    const { passed, faults } = await checkTools(opened, { all: true, comparesContent: !options.ignoresPins });
    if (faults.length > 0) return faults;
    const code = offeredCode(options.code, passed);
    if (!code.ok) return [code.fault];
    return catalogueOfTools(passed, code.offered, options.version) === null
      ? [refusedStart('catalog_too_large').fault]
      : [];
  } finally {
    await opened.supervisor.close();
  }
}

/** The three pins of every tool, by name. */
export type GatewayPins = Readonly<Record<string, ToolPins>>;

/** `--print-pins`: those in the document may be absent or old; nothing of audit or artifacts is touched. */
export async function computeGatewayPins(options: GatewayOptions): Promise<Started<GatewayPins>> {
  const opened = await openGateway(options, 'pins');
  const pins = opened.ok ? await computePins(options, opened.value) : opened;
  if (!pins.ok) logFault(options, pins.fault);
  return pins;
}

/** Which tools got other pins, and which had them. */
export interface WrittenPins {
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
}

/**
 * `--write-pins` (first-day.md §5): puts the pins of every tool into the document, whole or not at all, and changes
 * nothing else of it. Refused where the document was changed by others meanwhile.
 */
export async function writeGatewayPins(options: GatewayOptions): Promise<Started<WrittenPins>> {
  const path = resolve(options.workingDirectory, options.document);
  const before = await readFile(path).catch(() => null);
  const pins = await computeGatewayPins(options);
  if (!pins.ok) return pins;
  const written = await replacePins(path, before, pins.value);
  if (!written.ok) logFault(options, written.fault);
  return written;
}

const MARK_BYTES = BYTE_ORDER_MARK.length;

async function replacePins(path: string, before: Buffer | null, pins: GatewayPins): Promise<Started<WrittenPins>> {
  const now = await readFile(path).catch(() => null);
  if (before === null || now === null || !before.equals(now))
    return refusedStart('config_unavailable', {
      cause: 'changed_meanwhile',
      pointer: null,
      detail: 'the document was changed while its tools were opened; nothing was written',
    });
  const text = withoutByteOrderMark(before);
  const pinned = writePinsInto(text, new Map(Object.entries(pins)));
  if (pinned === null) throw new Error('a document that was read has the tools that were pinned');
  const mark = text.byteLength === before.byteLength ? '' : before.subarray(0, MARK_BYTES).toString('utf8');
  if (pinned.changed.length > 0 && !(await replaceDocument(path, `${mark}${pinned.text}`)))
    return refusedStart('config_unavailable', {
      cause: 'not_written',
      pointer: null,
      detail: 'its folder or disk does not let it be replaced; it is as it was',
    });
  const unchanged = Object.keys(pins).filter((name) => !pinned.changed.includes(name));
  return { ok: true, value: { changed: pinned.changed, unchanged } };
}

async function computePins(options: GatewayOptions, opened: Opened): Promise<Started<GatewayPins>> {
  try {
    const {
      passed,
      faults: [fault],
    } = await checkTools(opened, { all: false, comparesContent: false });
    if (fault !== undefined) return { ok: false, fault };
    const unread = await readEnvironment(options, opened);
    if (unread !== null) return unread;
    const acquired = await acquireAll(passed, opened.supervisor);
    if (!acquired.ok) return acquired;
    return {
      ok: true,
      value: Object.fromEntries(
        acquired.value.map(({ declared, checked: { tool }, providers }) => [
          declared.name,
          {
            expected_application_content_digest: tool.application.contentDigest,
            installation_config_pins: tool.application.installationDigests,
            provider_snapshot_pins: providers?.identities ?? {},
          },
        ]),
      ),
    };
  } finally {
    await opened.supervisor.close();
  }
}

/** All stages of gateway.md §1; what was opened is closed again where one fails. */
export async function startGateway(options: GatewayOptions): Promise<Started<RunningGateway>> {
  const opened = await openGateway(options, 'serve');
  if (opened.ok) options.log.report('startup_stage', { stage: 'documents' });
  const started = opened.ok ? await startOpened(options, opened.value) : opened;
  if (!started.ok) logFault(options, started.fault);
  return started;
}

/** Stages 3 to 9. */
async function startOpened(options: GatewayOptions, opened: Opened): Promise<Started<RunningGateway>> {
  const started = await startChecked(options, opened);
  if (!started.ok) await opened.supervisor.close();
  return started;
}

async function startChecked(options: GatewayOptions, opened: Opened): Promise<Started<RunningGateway>> {
  const {
    passed,
    faults: [fault],
  } = await checkTools(opened, { all: false, comparesContent: !options.ignoresPins });
  if (fault !== undefined) return { ok: false, fault };
  const code = offeredCode(options.code, passed);
  if (!code.ok) return code;
  const list = catalogueOfTools(passed, code.offered, options.version);
  if (list === null) return refusedStart('catalog_too_large');
  options.log.report('startup_stage', { stage: 'tools' });
  const recording = await openRecording(opened.documents, options);
  if (!recording.ok) return recording;
  const started = await startRecorded(options, opened, {
    passed,
    list,
    offered: code.offered,
    recording: recording.value,
  });
  if (!started.ok) await closeRecording(recording.value);
  return started;
}

/** Stages 7 to 9. */
async function startRecorded(
  options: GatewayOptions,
  opened: Opened,
  {
    passed,
    list,
    offered,
    recording,
  }: Pick<Parameters<typeof serve>[2], 'list' | 'offered' | 'recording'> & {
    readonly passed: Parameters<typeof acquireAll>[0];
  },
): Promise<Started<RunningGateway>> {
  const unread = await readEnvironment(options, opened);
  if (unread !== null) return unread;
  const bearer = await captureBearer(options, opened);
  if (!bearer.ok) return bearer;
  const rounds = openRoundSeal(opened);
  if (!rounds.ok) return rounds;
  const otherInstallation = options.ignoresPins ? null : installationFault(opened.documents, passed);
  if (otherInstallation !== null) return otherInstallation;
  const acquired = await acquireAll(passed, opened.supervisor);
  if (!acquired.ok) return acquired;
  options.log.report('startup_stage', { stage: 'providers' });
  return (
    (options.ignoresPins ? null : snapshotFault(opened.documents, acquired.value)) ??
    serve(options, opened, {
      tools: acquired.value,
      list,
      offered,
      bearer: bearer.value,
      rounds: rounds.value,
      recording,
    })
  );
}

/** A log for a gateway; null where the file is not its owner's alone, or cannot be opened. */
export async function openGatewayLog(path: string): Promise<GatewayLog | null> {
  return openLog(path, () => new Date().toISOString());
}

/** Why there is no such log. */
export function logFaultOf(): StartFault {
  return refusedStart('log_unavailable', {
    cause: 'file_unusable',
    pointer: null,
    detail: '--log wants a file of this user alone, or a new one in a directory that is there',
  }).fault;
}
