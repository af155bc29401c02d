import type { JSONObject, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { NeutralTool } from './request.ts';
import type { Route } from './route.ts';

/** The setting by which a vendor is asked for one call of a tool at most in an answer (world.md §3.6). */
export interface SingleCallSetting {
  /** For its library. */
  readonly options: SharedV4ProviderOptions;
  /** Members of a body that no library writes. */
  readonly members: JSONObject;
}

const UNREPORTED: SingleCallSetting = { options: {}, members: {} };

/** The only tool of the agent loop, which refuses an answer with several calls. Other requests may want them. */
const LOOP_TOOL = 'run_svc_lisp';

/** Models that OpenAI refuses `parallel_tool_calls` for, whichever its value. */
const WITHOUT_SWITCH = /^o\d/;

/** Claude behind Converse: those before 4.5 refuse the member. */
const CLAUDE_WITH_SWITCH = /claude-(?:(?:opus|sonnet|haiku)-(?:4-[5-9]|4-\d\d(?!\d)|[5-9])|fable)/;

/** Nothing is sent to a vendor that does not document the switch: the loop corrects an answer with two calls anyway. */
export function singleCallSetting({ vendor, wire, model }: Route, tools: readonly NeutralTool[]): SingleCallSetting {
  if (tools.length !== 1 || tools[0]?.name !== LOOP_TOOL) return UNREPORTED;
  switch (wire) {
    case 'chat':
      return vendor.takesSingleCall && !isWithoutSwitch(vendor.prefix, model)
        ? { ...UNREPORTED, members: { parallel_tool_calls: false } }
        : UNREPORTED;
    case 'responses':
      return vendor.takesSingleCall && !isWithoutSwitch(vendor.prefix, model)
        ? { ...UNREPORTED, options: { openai: { parallelToolCalls: false } } }
        : UNREPORTED;
    case 'anthropic':
      return { ...UNREPORTED, options: { anthropic: { disableParallelToolUse: true } } };
    case 'bedrock':
      // Its library reads the options of Anthropic for Claude.
      return CLAUDE_WITH_SWITCH.test(model)
        ? { ...UNREPORTED, options: { anthropic: { disableParallelToolUse: true } } }
        : UNREPORTED;
    case 'google':
    case 'ollama':
      return UNREPORTED;
  }
}

function isWithoutSwitch(prefix: string, model: string): boolean {
  return prefix === 'openai' && WITHOUT_SWITCH.test(model);
}
