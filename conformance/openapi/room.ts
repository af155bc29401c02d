import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validEnvelope } from '../cli/envelope-check.ts';
import type { Ended } from '../cli/program.ts';
import { runResident } from '../cli/resident/resident.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';

export type Members = Readonly<Record<string, unknown>>;

/** What no artifact, stream or message may ever hold. */
export const API_SECRET = 'sk-planted-4711-0815';

const WORKFLOW =
  '(ns main) (defn run [input] (let [record (kernel/eval-source "desk" (get input "program"))] (if (get input "whole") record (get record :value record))))';

/** An application whose mission calls operations of an API. */
export interface ApiApplication {
  /** Text of a document, or the document; absent: none is laid down. */
  readonly document?: Members | string;
  /** Of the installation `api`. */
  readonly installation: Members;
  readonly config?: Members;
  readonly host?: Members;
  readonly manifest?: Members;
  readonly program?: string;
  readonly whole?: boolean;
  readonly files?: Members;
}

export interface ApiReport extends Ended {
  readonly envelope: Members;
  readonly value: unknown;
  readonly code: unknown;
}

/** A directory with such an application. */
export class ApiRoom {
  readonly directory: string;

  constructor({
    document,
    installation,
    config,
    host,
    manifest,
    program = '1',
    whole = false,
    files = {},
  }: ApiApplication) {
    this.directory = makeWorkDirectory({
      ...(document === undefined ? {} : { 'api.json': document }),
      'main.clj': WORKFLOW,
      'svc-host.json': {
        install: {
          api: {
            source: 'openapi',
            installation_revision: 'r1',
            document: { path: 'api.json' },
            endpoint: 'https://api.invalid',
            tools: { '*': {} },
            ceilings: { timeout_ms: 60_000 },
            ...installation,
          },
        },
        ...host,
      },
      'svc.json': {
        version: 1,
        workflow: {
          components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
          entry: 'main/run',
        },
        missions: { desk: { providers: ['api'] } },
        input: { value: { program, whole } },
        providers: { mission: [{ name: 'api', ...(config === undefined ? {} : { config }) }] },
        limits: { evaluation_timeout_ms: 60_000, run_duration_ms: 120_000, workflow_timeout_ms: 120_000 },
        ...manifest,
      },
      ...files,
    });
  }

  async run(
    argv: readonly string[] = ['run', 'svc.json'],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ApiReport> {
    const input = [...argv, '--host-config', 'svc-host.json', '--envelope', 'envelope.json'];
    const ended = await this.command(input, environment);
    const envelope = validEnvelope(readFileSync(join(this.directory, 'envelope.json'), 'utf8'));
    return { ...ended, envelope, value: Object(envelope['result']).value, code: Object(envelope['error']).code };
  }

  async command(argv: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return runResident({ argv, directory: this.directory, environment });
  }

  close(): void {
    removeWorkDirectory(this.directory);
  }
}

/** Runs an application to its end. */
export async function runApi(
  application: ApiApplication,
  look: (report: ApiReport, room: ApiRoom) => void | Promise<void>,
): Promise<void> {
  const room = new ApiRoom(application);
  try {
    await look(await room.run(), room);
  } finally {
    room.close();
  }
}
