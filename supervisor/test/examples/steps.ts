import { DEBUG } from './steps/debug.ts';
import { DECISIONS } from './steps/decisions.ts';
import { FAN_OUT } from './steps/fan-out.ts';
import { LONG_LOGBOOK } from './steps/long-logbook.ts';
import { GATEWAY } from './steps/gateway.ts';
import { KERNEL_TUTORIAL } from './steps/kernel-tutorial.ts';
import { LLM_REPLAY } from './steps/llm-replay.ts';
import { READER_WRITER } from './steps/reader-writer.ts';
import { REFUND_APPROVALS } from './steps/refund-approvals.ts';
import { SUPPORT_TRIAGE } from './steps/support-triage.ts';
import { WEB_PARSER } from './steps/web-parser.ts';
import type { RecordedStep } from './recorded-step.ts';

/** Every step that has a `replay.jsonl`. */
export const RECORDED_STEPS: readonly RecordedStep[] = [
  ...KERNEL_TUTORIAL,
  ...SUPPORT_TRIAGE,
  ...LLM_REPLAY,
  ...DECISIONS,
  ...WEB_PARSER,
  ...READER_WRITER,
  ...DEBUG,
  ...GATEWAY,
  ...FAN_OUT,
  ...LONG_LOGBOOK,
  ...REFUND_APPROVALS,
];
