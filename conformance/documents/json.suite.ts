import { expect } from 'chai';
import { DECIDED, REFUSED } from './corpus.ts';
import type { DocumentCase } from './document-case.ts';
import { executeAll } from './executed.ts';

describe('strict JSON from outside', () => {
  const undecided = DECIDED.flatMap(([, decided, value]) =>
    decided === 'refused' && typeof value === 'string' ? [value] : [],
  );
  const texts = [...REFUSED.filter((_, index) => index % 6 === 0), ...undecided];
  const cases = texts.map((text): DocumentCase => ({
    name: text,
    command: 'validate',
    uses: [],
    edits: {},
    files: { 'svc.json': `{"version":${text}}` },
    argv: [],
    line: null,
    status: 3,
    expected: null,
  }));

  it('is refused as such, and nothing of it is shown', async () => {
    for (const [index, ended] of executeAll(cases).entries()) {
      const { status, envelope, stderr } = await ended;
      expect({ status, code: Object(envelope['error']).code }, texts[index]).to.deep.equal({
        status: 3,
        code: 'invalid_json',
      });
      expect(stderr).to.match(
        /^error: application\/invalid_json: the application document is not strict JSON: [a-zA-Z8 -]+ in svc\.json \(run_ref: [^)]+\)\n {2}at svc\.json:\d+:\d+\n(?: {2}problem: [a-zA-Z0-9 ;,-]+\n)? {2}remedy: [a-zA-Z8 ;,-]+\n$/u,
      );
    }
  });
});
