import type { JsonValue } from '../../../contract/json/value.ts';
import type { Exchange } from '../../../contract/provider-protocol/call.ts';
import type { ExceptionFacts, ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import type { Scrubber } from '../../../contract/provider-protocol/scrubber.ts';
import type { Capability, Dispatch } from './capability.ts';

/**
 * The same capability, whose answers hold no credential when a program, a model or an artifact sees them (providers.md
 * §4).
 */
export function scrubbedCapability(capability: Capability, scrubber: Scrubber): Capability {
  return {
    ...capability,
    description: scrubber.text(capability.description),
    dispatch: (given, call) => scrubbedDispatch(capability.dispatch(given, call), scrubber),
  };
}

function scrubbedDispatch(dispatch: Dispatch, scrubber: Scrubber): Dispatch {
  return {
    outcome: dispatch.outcome.then((outcome) => scrubbedOutcome(outcome, scrubber)),
    exchanges: () => dispatch.exchanges().map((exchange) => scrubbedExchange(exchange, scrubber)),
    kill: () => dispatch.kill(),
  };
}

function scrubbedOutcome(outcome: ProviderOutcome<JsonValue>, scrubber: Scrubber): ProviderOutcome<JsonValue> {
  switch (outcome.kind) {
    case 'value':
      return { ...outcome, value: scrubber.value(outcome.value) };
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

function scrubbedException(facts: ExceptionFacts, scrubber: Scrubber): ExceptionFacts {
  return { ...facts, message: scrubber.text(facts.message), frames: facts.frames.map((frame) => scrubber.text(frame)) };
}

function scrubbedExchange(
  { request, response, stderr, ...facts }: Exchange<JsonValue>,
  scrubber: Scrubber,
): Exchange<JsonValue> {
  return {
    ...facts,
    request: scrubber.value(request),
    response: response === null ? null : scrubber.value(response),
    stderr: stderr === null ? null : { ...stderr, text: scrubber.text(stderr.text) },
  };
}
