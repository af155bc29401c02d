import type { Scenario } from '../scenario.ts';
import { PROTOCOL } from './protocol.ts';

export const SCENARIOS: readonly Scenario[] = [...PROTOCOL];
