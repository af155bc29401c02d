import { expect } from 'chai';
import { APPROVAL_WORDS, needsApproval, type ApprovalWord } from '../../../contract/approval.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { approvalOfRows } from '../mcp/tool-rows.ts';
import { selectApproval } from './approval.ts';

const EFFECTS = ['read', 'unknown', 'write'] as const;
const UNSAID = 'unsaid' as const;
type Said = ApprovalWord | typeof UNSAID;
const SAID: readonly Said[] = [UNSAID, ...APPROVAL_WORDS];
const said = (word: Said): { readonly approval?: ApprovalWord } => (word === UNSAID ? {} : { approval: word });
const strictness = (word: ApprovalWord): number => APPROVAL_WORDS.indexOf(word);
const ROW = {
  upstream: 'close',
  as: 'close',
  effect: 'write',
  error_feedback: 'closed',
  model_visible: false,
  inspection_capture: 'full',
} as const;
/** By hand: what each word asks about. */
const ASKED: Readonly<Record<ApprovalWord, readonly string[]>> = {
  never: [],
  writes: ['unknown', 'write'],
  always: ['read', 'unknown', 'write'],
};

function manifest(word: Said, isByName: boolean): JsonObject {
  if (word === UNSAID) return new Map();
  const value: JsonValue = isByName ? new Map([['close', word]]) : word;
  return new Map([['approval', value]]);
}

describe('words of host, row and manifest together (approvals.md §1, line 1)', () => {
  for (const own of SAID)
    for (const row of SAID)
      for (const wish of SAID)
        it(`installation ${own}, row ${row}, manifest ${wish}`, () => {
          const host = approvalOfRows({ rows: [{ ...ROW, ...said(row) }], every: null }, said(own).approval);
          // The row wins over its installation.
          const word = row !== UNSAID ? row : own !== UNSAID ? own : 'never';
          expect(host('close')).to.equal(word);
          for (const isByName of [false, true]) {
            const selected = selectApproval(manifest(wish, isByName), host, ['close']);
            if (wish !== UNSAID && strictness(wish) < strictness(word)) {
              expect(selected.ok ? null : selected.fault).to.include({ field: 'approval', rule: 'ceiling' });
              continue;
            }
            if (!selected.ok) throw new Error('it is as strict, or stricter');
            const together = wish === UNSAID ? word : wish;
            for (const effect of EFFECTS)
              expect(needsApproval(selected.approvalOf('close'), effect), effect).to.equal(
                ASKED[together].includes(effect),
              );
          }
        });
});
