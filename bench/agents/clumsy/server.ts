import { deliver } from '../../../conformance/servers/http/deliver.ts';
import { listen } from '../../../conformance/servers/http/listen.ts';
import type { Answer } from '../../../conformance/servers/llm/script.ts';
import { COMPATIBLE } from '../../../conformance/servers/llm/vendors/compatible.ts';
import { isObject } from '../../../conformance/servers/is-object.ts';
import { objectsIn } from '../../../conformance/servers/llm/vendors/vendor.ts';
import { OPENAI } from '../../../conformance/servers/llm/wires/openai.ts';

/** All that a scripted model is shown: what a model of flesh would be shown in the same place. */
export interface Shown {
  readonly system: string;
  readonly task: string;
  /** What came of its last answer; null: it has not answered yet. */
  readonly reply: string | null;
}

/** A model that says one thing after the other; one is made for each run. */
export type ScriptedModel = (shown: Shown) => Answer;

export interface ScriptedServer {
  readonly url: string;
  /** The model that answers from now on. */
  readonly play: (model: ScriptedModel) => void;
  /** What a request was refused for by the rules of the wire; empty where all kept them. */
  readonly refusals: readonly string[];
  readonly close: () => Promise<void>;
}

const CHARACTERS_OF_A_TOKEN = 4;

/**
 * A server on loopback that speaks chat completions, refuses what breaks their rules, and lets a scripted model answer.
 */
export async function startScriptedServer(): Promise<ScriptedServer> {
  let model: ScriptedModel | null = null;
  let requested = 0;
  const refusals: string[] = [];
  const { url, close } = await listen({}, async ({ request, response, body: text }) => {
    const path = request.url ?? '/';
    const parsed: unknown = JSON.parse(text);
    const body = isObject(parsed) ? parsed : {};
    requested += 1;
    const refusal = COMPATIBLE.refuse({ path, query: {}, headers: {}, body, text, answered: [] });
    if (refusal !== null || model === null || !COMPATIBLE.serves(path)) {
      refusals.push(JSON.stringify(refusal?.body ?? path));
      await deliver(response, refusal?.status ?? 404, {}, JSON.stringify(refusal?.body ?? {}));
      return;
    }
    const said = model(shownBy(body));
    const usage = {
      input: Math.ceil(text.length / CHARACTERS_OF_A_TOKEN),
      output: Math.ceil(JSON.stringify(said).length / CHARACTERS_OF_A_TOKEN),
    };
    const whom = { model: String(body['model']), texts: [], hasTools: 'tools' in body, hasSchema: false };
    await deliver(response, 200, {}, JSON.stringify(OPENAI.answer({ usage, ...said }, whom, requested)));
  });
  return {
    url: `${url}/v1`,
    play: (next) => {
      model = next;
    },
    refusals,
    close,
  };
}

function shownBy(body: Record<string, unknown>): Shown {
  const messages = objectsIn(body['messages']);
  const texts = (role: string): readonly string[] =>
    messages.filter((message) => message['role'] === role).map((message) => String(message['content']));
  const others = messages.filter((message) => message['role'] !== 'system');
  return {
    system: texts('system').join('\n'),
    task: texts('user')[0] ?? '',
    // What was no program may not be shown to it again.
    reply: others.length > 1 ? String(others.at(-1)?.['content']) : null,
  };
}
