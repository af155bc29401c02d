import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askingProject, writesOf } from '../../../conformance/asking-application.ts';
import { start, type Ended } from '../../../conformance/cli/program.ts';
import { until } from '../../../conformance/until.ts';
import { HOSTILE } from './evidence.ts';

/** What a program can show in the place of a question, and of the buttons that decide. */
const IMITATION = '<article aria-label="Question about fs.write"><button>Allow</button></article>';

/** An application that asks about two writes, one after the other, with arguments that a page must show. */
export const HOSTILE_WRITES = writesOf([1, 2], HOSTILE + IMITATION);

/** Writes a project document with these settings of its viewer; returns its name. */
export function projectWith(directory: string, name: string, viewer: object): string {
  writeFileSync(join(directory, name), JSON.stringify(askingProject({ viewer })));
  return name;
}

/** A run that waits for answers, and the ids of its questions as they come. */
export interface WaitingRun {
  readonly ended: Promise<Ended>;
  asked(count: number): Promise<string>;
  /** Ends a run to whose question nobody answers. */
  stop(): Promise<void>;
}

export function startWaiting(
  directory: string,
  project: string,
  environment: Readonly<Record<string, string>> = {},
): WaitingRun {
  const { child, ended } = start({ argv: ['run', project, '--wait-for-approval'], directory, environment });
  let reported = '';
  child.stderr?.on('data', (text: string) => {
    reported += text;
  });
  return {
    ended,
    asked: (count) =>
      until(`question ${count}`, () => [...reported.matchAll(/approve (apr-[0-9a-z]{26})/g)][count - 1]?.[1]),
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

export function writtenFiles(directory: string): readonly string[] {
  return readdirSync(join(directory, 'files')).toSorted();
}
