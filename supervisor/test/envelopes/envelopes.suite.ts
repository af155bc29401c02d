import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { HELP_TOPICS } from '../../../contract/envelope/results.ts';
import { envelopeSchema } from '../../../contract/envelope/schema.ts';
import { classifiedDiagnostics, misclassifiedDiagnostics } from './builders/classified.ts';
import { invalidEnvelopes } from './builders/near-misses.ts';
import { INCOMPLETE, head, runFailure, type Plain } from './builders/parts.ts';
import { validEnvelopes } from './builders/variants.ts';
import { checkEnvelope } from '../../../conformance/envelopes/checker/check-envelope.ts';

const HELP = HELP_TOPICS.map((topic) => ({
  topic,
  usage: [`svc ${topic}`],
  options: [{ description: 'this help', switches: ['--help'] }],
  notices: [],
}));

// A tuple may be followed by more items of one kind, which strictTuples takes for a mistake.
const validate = new Ajv2020({ strict: true, strictTuples: false }).compile(envelopeSchema(HELP));

function expectValid(name: string, value: Plain): void {
  expect(validate(value), `schema refuses ${name}: ${JSON.stringify(value)}`).to.equal(true);
  expect(checkEnvelope(value), `checker refuses ${name}: ${JSON.stringify(value)}`).to.deep.equal([]);
}

function expectInvalid(name: string, value: Plain): void {
  expect(validate(value), `schema accepts ${name}: ${JSON.stringify(value)}`).to.equal(false);
  expect(checkEnvelope(value), `checker accepts ${name}: ${JSON.stringify(value)}`).not.to.deep.equal([]);
}

/** As primary failure, as secondary one, and as the end of an execution where it is of that phase. */
function carriers(error: Plain): readonly Plain[] {
  return [runFailure(error, { execution: INCOMPLETE }), runFailure(error, { secondary_errors: [error] })];
}

describe('the envelope schema and the independent checker agree', () => {
  it('on every valid variant', () => {
    for (const { name, value } of validEnvelopes()) expectValid(name, value);
  });

  it('on help, whose results are fixed', () => {
    for (const result of HELP)
      expectValid(`help ${result.topic}`, { ...head('help', 'ok'), result, secondary_errors: [], warnings: [] });
    const unknown = { topic: 'gateway', usage: ['svc gateway'], options: [], notices: [] };
    expectInvalid('help of a topic without envelope', {
      ...head('help', 'ok'),
      result: unknown,
      secondary_errors: [],
      warnings: [],
    });
  });

  it('on every classified diagnostic of the interface', () => {
    for (const { name, value } of classifiedDiagnostics())
      for (const envelope of carriers(value)) expectValid(name, envelope);
  });

  it('on near misses of classified diagnostics', () => {
    for (const { name, value } of misclassifiedDiagnostics())
      for (const envelope of carriers(value)) expectInvalid(name, envelope);
  });

  it('on near misses of every variant', () => {
    for (const { name, value } of invalidEnvelopes()) expectInvalid(name, value);
  });
});
