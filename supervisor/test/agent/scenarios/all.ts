import type { Scenario } from '../scenario.ts';
import { CONFIGURATION } from './configuration.ts';
import { EFFECTS } from './effects.ts';
import { FAILOVER } from './failover.ts';
import { OPTIONS } from './options.ts';
import { OUTCOMES } from './outcomes.ts';
import { PHASES } from './phases.ts';
import { PROMPTS } from './prompts.ts';
import { PROTOCOL } from './protocol.ts';
import { PROVIDERS } from './providers.ts';
import { TEXT_MODE } from './text-mode.ts';
import { TURNS } from './turns.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...PROTOCOL,
  ...TURNS,
  ...EFFECTS,
  ...PROVIDERS,
  ...PHASES,
  ...OUTCOMES,
  ...FAILOVER,
  ...OPTIONS,
  ...TEXT_MODE,
  ...CONFIGURATION,
  ...PROMPTS,
];
