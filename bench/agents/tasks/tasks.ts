import type { TrialTask } from '../task.ts';
import { CHAINS } from './chains.ts';
import { DATES } from './dates.ts';
import { FAILURES } from './failures.ts';
import { IDEAS } from './ideas.ts';
import { JOINS } from './joins.ts';
import { LARGE } from './large.ts';
import { NAMES } from './names.ts';
import { TABLES } from './tables.ts';
import { TEXT_TASKS } from './text.ts';

/** All tasks of the trial, area by area. */
export const TASKS: readonly TrialTask[] = [
  ...TABLES,
  ...TEXT_TASKS,
  ...JOINS,
  ...CHAINS,
  ...DATES,
  ...LARGE,
  ...NAMES,
  ...FAILURES,
  ...IDEAS,
];
