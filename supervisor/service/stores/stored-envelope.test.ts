import { expect } from 'chai';
import { randomFillSync } from 'node:crypto';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { runFailure } from '../../../contract/envelope/build.ts';
import { notStarted } from '../../../contract/envelope/execution.ts';
import type { RunFailure } from '../../../contract/envelope/types.ts';
import { newRunReference } from '../../../contract/run-reference.ts';
import { RECORD_ENVELOPE_BYTES, keepEnvelope, readStoredEnvelope } from './stored-envelope.ts';
import { createMemoryArtifacts } from './memory-artifacts.ts';

const runRef = newRunReference(randomFillSync);
const OWNER = { tenant: 'acme', runRef, epoch: 2 };
const ENVELOPE: RunFailure = runFailure({
  runReference: runRef,
  error: diagnostic('internal_error', { cause: 'unexpected_exception' }),
  secondaryErrors: [],
  warnings: [],
  artifactClass: 'normal',
  artifactState: { trace: 'not_requested', inspection: 'not_requested', result: 'not_requested' },
  execution: notStarted(),
});
const textOf = (bytes: number): string => `{"a":"${'x'.repeat(bytes - '{"a":""}'.length)}"}`;

describe('an envelope that is kept (gateway.md §19)', () => {
  for (const bytes of [RECORD_ENVELOPE_BYTES - 1, RECORD_ENVELOPE_BYTES, RECORD_ENVELOPE_BYTES + 1]) {
    it(`of ${bytes} bytes is ${bytes > RECORD_ENVELOPE_BYTES ? 'in the store' : 'in its record'}, and is read alike`, async () => {
      const store = createMemoryArtifacts();
      const text = textOf(bytes);
      const stored = await keepEnvelope(ENVELOPE, text, OWNER, store);
      expect((await store.read({ ...OWNER, name: 'envelope.json' })) !== null).to.equal(bytes > RECORD_ENVELOPE_BYTES);
      expect(Buffer.byteLength(JSON.stringify(stored)) <= RECORD_ENVELOPE_BYTES).to.equal(true);
      expect(await readStoredEnvelope(stored, OWNER, store)).to.deep.equal(JSON.parse(text));
      if (bytes > RECORD_ENVELOPE_BYTES)
        expect(await keepEnvelope(ENVELOPE, text, OWNER, store), 'a second time').to.deep.equal(stored);
    });
  }

  it('is null of a run that has none, and of one whose store has it no more', async () => {
    expect(await readStoredEnvelope(null, OWNER, null)).to.equal(null);
    expect(
      await readStoredEnvelope(
        { stored: 'envelope.json', bytes: 5, sha256: '0'.repeat(64) },
        OWNER,
        createMemoryArtifacts(),
      ),
    ).to.equal(null);
  });
});
