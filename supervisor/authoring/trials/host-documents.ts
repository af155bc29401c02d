import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import type { Result } from '../../../contract/outcome.ts';
import { replayHostPath } from '../../documents/cases/load.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import { parseDocument } from '../../documents/json-document.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import { readDocument, type DocumentName } from '../../documents/target.ts';
import { hostWithCostLimit, hostWithModel, modelAliases, replayHost, type WrittenHost } from './case-host.ts';
import type { Trial } from './trial.ts';

/** With which host document a trial is run: its path; null: the one of the application. */
export interface TrialHost {
  readonly path: string | null;
  /** What is in it, as far as it can be read. */
  readonly written: WrittenHost | null;
}

/** Host documents of trials: those that authors wrote, and those that are made of them for this command. */
export interface TrialHosts {
  of(trial: Trial, isRecording: boolean): Promise<Result<TrialHost, string>>;
  /** Of the application. */
  readonly own: WrittenHost | null;
}

/** `directory`: of this command alone, where documents that it makes lie. */
export async function openTrialHosts(
  reader: DocumentReader,
  {
    name,
    directory,
    budgetMicrousd,
  }: {
    readonly name: DocumentName | null;
    readonly directory: string;
    /** What real models may cost together; null: no bound. */
    readonly budgetMicrousd: number | null;
  },
): Promise<TrialHosts> {
  const own = name === null ? null : await readHost(reader, name);
  const made = new Map<string, Promise<TrialHost>>();
  const place = { directory, paths: 'absolute' } as const;
  const makeOnce = (key: string, document: JsonObject): Promise<TrialHost> => {
    const found = made.get(key) ?? make(document);
    made.set(key, found);
    return found;
  };
  const make = async (document: JsonObject): Promise<TrialHost> => {
    const path = join(directory, `${randomUUID()}.json`);
    await writeFile(path, canonicalJson(document), { mode: 0o600, flag: 'wx' });
    return { path, written: { directory, document } };
  };

  async function replayed(fixtures: string): Promise<Result<TrialHost, string>> {
    // A host document in place of fixtures is taken as it is, as is the one that was recorded beside them.
    const path = fixtures.endsWith('.jsonl') ? replayHostPath(fixtures) : fixtures;
    const written = await readHost(reader, { kind: 'named', path });
    if (written !== null || path === fixtures) return { ok: true, value: { path, written } };
    if (own === null) return { ok: false, fault: 'the application has no host document that could be replayed' };
    return { ok: true, value: await makeOnce(fixtures, replayHost(own, fixtures, place)) };
  }

  /** Where a host does not limit costs, the budget is the limit that each run narrows to what is left of it. */
  async function withinBudget(key: string, host: TrialHost): Promise<TrialHost> {
    if (budgetMicrousd === null || host.written === null || modelAliases(host.written).length === 0) return host;
    const document = hostWithCostLimit(host.written, budgetMicrousd, place);
    return document === null ? host : makeOnce(`${key} within the budget`, document);
  }

  return {
    own,
    of: async ({ subject, mode, model }, isRecording) => {
      if (mode === 'replay' && subject.fixtures !== null) return replayed(subject.fixtures);
      const unchanged: TrialHost = { path: null, written: own };
      if (model === null)
        return { ok: true, value: mode === 'live' ? await withinBudget('own', unchanged) : unchanged };
      const document = own === null ? null : hostWithModel(own, model, place);
      const key = `${String(isRecording)} ${model}`;
      if (document !== null) return { ok: true, value: await withinBudget(key, await makeOnce(key, document)) };
      const aliases = own === null ? [] : modelAliases(own);
      return {
        ok: false,
        fault: `${model} is neither a model of the host document${aliases.length === 0 ? '' : ` (${aliases.join(', ')})`} nor a selector such as openai:gpt-5-mini`,
      };
    },
  };
}

/** Null where nothing is there, or no object: what is wrong is reported where the document is loaded. */
async function readHost(reader: DocumentReader, name: DocumentName): Promise<WrittenHost | null> {
  const read = await readDocument(reader, name, MAX_BYTES.host);
  if (!read.ok) return null;
  const parsed = parseDocument(read.file.bytes, MAX_BYTES.host);
  if (!parsed.ok || !isJsonObject(parsed.document.value)) return null;
  return { directory: read.file.directory, document: parsed.document.value };
}
