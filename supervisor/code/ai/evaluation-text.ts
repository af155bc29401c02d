import type { Evaluation } from '../embedded/types.ts';

/** An evaluation as a model reads it. */
export function evaluationText(evaluation: Evaluation): string {
  switch (evaluation.kind) {
    case 'value': {
      const { text, how, printed } = evaluation;
      return [text, ...(how === null ? [] : [`;; ${how}`]), ...printedLines(printed)].join('\n');
    }
    case 'failed':
      return [`failed: ${evaluation.text}`, ...printedLines(evaluation.printed), callsText(evaluation)].join('\n');
    case 'error': {
      const { kind, message, place, excerpt, hint } = evaluation.error;
      return [
        `${kind}: ${message}${place === null ? '' : ` (${place.line}:${place.column})`}`,
        ...(excerpt === null ? [] : [excerpt]),
        ...(hint === null ? [] : [`remedy: ${hint}`]),
        ...printedLines(evaluation.printed),
        callsText(evaluation),
      ].join('\n');
    }
    case 'waiting':
      return 'the program waits for the yes of a person: it has no result yet';
    case 'refused':
      return `nothing ran: ${evaluation.code}`;
  }
}

function printedLines(printed: string): readonly string[] {
  return printed === '' ? [] : ['it printed:', printed];
}

function callsText({ calls }: Extract<Evaluation, { readonly kind: 'failed' | 'error' }>): string {
  const made = calls.map(({ name, n, errors }) => `${name} ${n}${errors === 0 ? '' : `, ${errors} failed`}`);
  const called = made.length === 0 ? 'no tool was called' : `tools that were called before it: ${made.join('; ')}`;
  return `${called}; definitions are unchanged`;
}
