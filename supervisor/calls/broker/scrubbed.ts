import { doPaced } from '../../../contract/json/paced.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { Attempt, Exchange } from '../../../contract/provider-protocol/call.ts';
import type { ExceptionFacts, ModelThought, ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import type { Scrubber } from '../../../contract/provider-protocol/scrubber.ts';
import { scrubbedWords } from '../../../contract/provider-protocol/scrubbed-words.ts';
import { slicedScrub } from '../../../contract/provider-protocol/sliced-scrub.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import type { Capability, Dispatch } from './capability.ts';

/**
 * The same capability, whose answers hold no credential when a program, a model or an artifact sees them (providers.md
 * §4).
 */
export function scrubbedCapability(capability: Capability, scrubber: Scrubber): Capability {
  return {
    ...capability,
    description: scrubber.text(capability.description),
    scrub: (text, how) => (how?.isCut === true ? scrubber.beginningText(text) : scrubber.text(text)),
    dispatch: (input, call) => scrubbedDispatch(capability.dispatch(input, call), scrubber),
  };
}

function scrubbedDispatch(dispatch: Dispatch, scrubber: Scrubber): Dispatch {
  return {
    outcome: dispatch.outcome.then((outcome) => scrubbedOutcome(outcome, scrubber)),
    exchanges: () => scrubExchanges(dispatch.exchanges(), scrubber),
    attempts: () => (dispatch.attempts?.() ?? []).map((attempt) => scrubbedAttempt(attempt, scrubber)),
    words: () => {
      const words = dispatch.words?.() ?? null;
      return words === null ? null : scrubbedWords(words, scrubber);
    },
    kill: () => dispatch.kill(),
  };
}

function scrubbedOutcome(
  outcome: ProviderOutcome<SerializedJson>,
  scrubber: Scrubber,
): ProviderOutcome<SerializedJson> | Promise<ProviderOutcome<SerializedJson>> {
  switch (outcome.kind) {
    case 'value':
      return scrubbedValue(outcome, scrubber);
    case 'error':
      return outcome.details === null ? outcome : { ...outcome, details: scrubber.text(outcome.details) };
    case 'fault':
      return outcome.exception === null
        ? outcome
        : { ...outcome, exception: scrubbedException(outcome.exception, scrubber) };
    case 'invalid_return':
    case 'too_large':
      return outcome;
  }
}

function scrubbedAttempt(attempt: Attempt, scrubber: Scrubber): Attempt {
  return attempt.said === null ? attempt : { ...attempt, said: scrubber.text(attempt.said) };
}

function scrubbedException(facts: ExceptionFacts, scrubber: Scrubber): ExceptionFacts {
  return { ...facts, message: scrubber.text(facts.message), frames: facts.frames.map((frame) => scrubber.text(frame)) };
}

/** A long value takes several turns of the event loop. */
function scrubbedValue(
  outcome: Extract<ProviderOutcome<SerializedJson>, { kind: 'value' }>,
  scrubber: Scrubber,
): ProviderOutcome<SerializedJson> | Promise<ProviderOutcome<SerializedJson>> {
  const input = outcome.value;
  const thought = outcome.thought === undefined ? {} : { thought: scrubbedThought(outcome.thought, scrubber) };
  // What held no credential keeps the text that it has.
  const scrubbed = (value: JsonValue): ProviderOutcome<SerializedJson> =>
    value === input.value ? { ...outcome, ...thought } : { ...outcome, ...thought, value: SerializedJson.of(value) };
  const scrubbing = doPaced(slicedScrub(scrubber, input.value), EVENT_LOOP_PACE);
  return scrubbing instanceof Promise ? scrubbing.then(scrubbed) : scrubbed(scrubbing);
}

/** A continuation is signed: one that holds a credential goes back to nobody, as its vendor would refuse the rest. */
function scrubbedThought({ continuation, droppedBytes, text }: ModelThought, scrubber: Scrubber): ModelThought {
  const isClean = continuation === null || scrubber.text(continuation) === continuation;
  return {
    continuation: isClean ? continuation : null,
    droppedBytes: isClean ? droppedBytes : Buffer.byteLength(continuation),
    text: text === null ? null : scrubber.text(text),
  };
}

async function scrubExchanges(exchanges: Exchanges | Promise<Exchanges>, scrubber: Scrubber): Promise<Exchanges> {
  const scrubbed: Exchange<JsonValue>[] = [];
  for (const { request, response, stderr, ...facts } of await exchanges) {
    scrubbed.push({
      ...facts,
      request: await doPaced(slicedScrub(scrubber, request), EVENT_LOOP_PACE),
      response: response === null ? null : await doPaced(slicedScrub(scrubber, response), EVENT_LOOP_PACE),
      stderr: stderr === null ? null : { ...stderr, text: scrubber.text(stderr.text) },
    });
  }
  return scrubbed;
}

type Exchanges = readonly Exchange<JsonValue>[];
