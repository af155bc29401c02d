import { object, oneOfValues, required } from '../../fields/shape.ts';
import { dataPolicy, hostPath, replayCeilings, revision } from './common.ts';

/** Recorded answers of a language model. */
export const llmReplayFields = object({
  source: required(oneOfValues('llm_replay')),
  installation_revision: revision,
  ...dataPolicy,
  fixtures: required(hostPath),
  ceilings: replayCeilings,
});
