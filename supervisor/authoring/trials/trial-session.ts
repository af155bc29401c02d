import type { Result } from '../../../contract/outcome.ts';
import type { PreparedApplication, RunFinished, RunRequest } from '../../service/embedding/types.ts';
import { PreparationError } from '../../service/runs/refusals.ts';
import { networkAliases } from './case-host.ts';
import { judgeAttempt, type EvaluateProgram } from './expectations.ts';
import type { TrialHost, TrialHosts } from './host-documents.ts';
import { attemptTrial, type TrialServices } from './perform-trial.ts';
import type { PerformedRun } from './run-trials.ts';
import { recordTrialFixtures } from './record-fixtures.ts';
import type { Trial } from './trial.ts';

/** What the runs of trials have in common. */
export interface TrialSessionOptions extends TrialServices {
  /** Manifest or project document, as it was named. */
  readonly document: string;
  readonly workingDirectory: string;
  /** Host document in place of the project's; null leaves that. */
  readonly hostConfig: string | null;
  readonly hosts: TrialHosts;
  readonly evaluate: EvaluateProgram;
  readonly isRecording: boolean;
  /** What a run leaves where its project's own word is no place for a private result. */
  readonly artifacts: NonNullable<RunRequest['artifacts']>;
}

/** Prepares and runs what trials need, each application once. */
export class TrialSession {
  readonly #options: TrialSessionOptions;
  readonly #prepared = new Map<string, Promise<PreparedApplication>>();
  /** Of applications whose result is private, and has no place by their project. */
  readonly #withoutPlace = new Set<PreparedApplication>();
  /** Trials whose fixtures were written. */
  readonly recorded = new Set<Trial>();

  constructor(options: TrialSessionOptions) {
    this.#options = options;
  }

  /** With the host of the application itself; rejects with `PreparationError`. */
  prepareOwn(trial: Trial): Promise<PreparedApplication> {
    return this.#prepare(trial, null);
  }

  /** Whether the trial is run with the host of the application itself. */
  async hasOwnHost(trial: Trial): Promise<boolean> {
    const host = await this.#options.hosts.of(trial, this.#options.isRecording);
    return host.ok && host.value.path === null;
  }

  /** Millionths of a dollar; null where nothing bounds it. */
  async boundOf(trial: Trial): Promise<number | null> {
    const ready = await this.#ready(trial);
    return ready.ok ? ready.value.application.limits.llm_cost_microusd : null;
  }

  async perform(trial: Trial, shareMicrousd: number | null): Promise<PerformedRun> {
    const ready = await this.#ready(trial);
    if (!ready.ok) return { ok: false, problem: ready.fault };
    const { application, host } = ready.value;
    const { attempt, finished } = await this.#attempt(trial, application, shareMicrousd);
    if (this.#options.isRecording && finished !== null) {
      const fault = await this.#record(trial, finished, host);
      if (fault !== null) return { ok: false, problem: fault };
    }
    return { ok: true, run: { attempt, ...(await judgeAttempt(attempt, trial.subject, this.#options.evaluate)) } };
  }

  async #ready(
    trial: Trial,
  ): Promise<Result<{ readonly application: PreparedApplication; readonly host: TrialHost }, string>> {
    const host = await this.#options.hosts.of(trial, this.#options.isRecording);
    if (!host.ok) return host;
    try {
      const application = await this.#prepare(trial, host.value.path);
      const reached = trial.mode === 'live' ? [] : reachedAliases(host.value, application);
      if (reached.length === 0) return { ok: true, value: { application, host: host.value } };
      return {
        ok: false,
        fault: `${reached.join(', ')} would be reached over the network: name fixtures, or mark the case live`,
      };
    } catch (error) {
      if (!(error instanceof PreparationError)) throw error;
      return { ok: false, fault: `the application cannot be run with this host: ${error.code}: ${error.message}` };
    }
  }

  #prepare({ subject }: Trial, host: string | null): Promise<PreparedApplication> {
    const readsDeclared = subject.input === null;
    const key = JSON.stringify([host, readsDeclared]);
    const { document, workingDirectory, hostConfig, supervisor } = this.#options;
    const path = host ?? hostConfig;
    const preparing =
      this.#prepared.get(key) ??
      supervisor.prepare({
        kind: 'directory',
        manifest: document,
        workingDirectory,
        ...(path === null ? {} : { host: path }),
        ...(readsDeclared ? {} : { declaredInput: 'ignored' as const }),
      });
    this.#prepared.set(key, preparing);
    return preparing;
  }

  /** Whether a result is private, and has no place, is known when it is run. */
  async #attempt(
    trial: Trial,
    application: PreparedApplication,
    shareMicrousd: number | null,
  ): ReturnType<typeof attemptTrial> {
    const attempting = (artifacts: RunRequest['artifacts']): ReturnType<typeof attemptTrial> =>
      attemptTrial(this.#options, application, {
        trial,
        shareMicrousd,
        ...(artifacts === undefined ? {} : { artifacts }),
      });
    if (this.#options.isRecording) return attempting({ trace: true, inspection: true });
    if (!this.#withoutPlace.has(application)) {
      const attempted = await attempting(undefined);
      if (attempted.attempt.code !== 'private_destination_required') return attempted;
      this.#withoutPlace.add(application);
    }
    return attempting(this.#options.artifacts);
  }

  async #record(trial: Trial, finished: RunFinished<unknown>, { written }: TrialHost): Promise<string | null> {
    const { fixtures } = trial.subject;
    if (fixtures === null || written === null) return 'there is no host document to record with';
    // Made documents lie in a folder of this command: what is kept starts from the author's own.
    const host = this.#options.hosts.own ?? written;
    const recorded = await recordTrialFixtures(finished, { fixtures, host });
    if (!recorded.ok) return recorded.fault;
    this.recorded.add(trial);
    return null;
  }
}

function reachedAliases({ written }: TrialHost, { installationDigests }: PreparedApplication): readonly string[] {
  return written === null ? [] : networkAliases(written, new Set(Object.keys(installationDigests)));
}
