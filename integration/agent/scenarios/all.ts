import type { Scenario } from '../scenario.ts';
import { EFFECTS } from './effects.ts';
import { PROTOCOL } from './protocol.ts';
import { TURNS } from './turns.ts';

export const SCENARIOS: readonly Scenario[] = [...PROTOCOL, ...TURNS, ...EFFECTS];
