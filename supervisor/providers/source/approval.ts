import { APPROVAL_WORDS, isLooserApproval, stricterApproval, type ApprovalWord } from '../../../contract/approval.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { matches, NAME } from '../../documents/fields/patterns.ts';
import type { SelectionFault } from './selection.ts';

/** Which calls of a provider are asked about, by the name that programs use (approvals.md §1). */
export type ApprovalOf = (name: string) => ApprovalWord;

export const NEEDS_NO_APPROVAL: ApprovalOf = () => 'never';

/** What a manifest says, which may only be stricter than the host document; `rest`: its other members. */
export type SelectedApproval =
  | {
      readonly ok: true;
      readonly approvalOf: ApprovalOf;
      readonly rest: JsonObject;
      readonly written: JsonValue | null;
    }
  | { readonly ok: false; readonly fault: SelectionFault };

/** Reads the member `approval` of a selection's `config`: a word, or words by name. */
export function selectApproval(config: JsonObject, host: ApprovalOf, names: readonly string[]): SelectedApproval {
  const input = config.get('approval');
  if (input === undefined) return { ok: true, approvalOf: host, rest: config, written: null };
  const rest: JsonObject = new Map([...config].filter(([member]) => member !== 'approval'));
  if (typeof input === 'string') {
    const word = wordOf(input);
    if (word === null) return refused('enum', NO_WORD);
    const looser = names.find((name) => isLooserApproval(word, host(name)));
    if (looser !== undefined) return refused('ceiling', looserWords(host(looser)));
    return { ok: true, approvalOf: (name) => stricterApproval(host(name), word), rest, written: input };
  }
  if (!isJsonObject(input)) return refused('type', NO_WORD);
  const words = new Map<string, ApprovalWord>();
  for (const [name, value] of input) {
    const word = typeof value === 'string' ? wordOf(value) : null;
    if (word === null || !matches(NAME, name)) return refused('enum', NO_WORD);
    if (isLooserApproval(word, host(name))) return refused('ceiling', looserWords(host(name)));
    words.set(name, word);
  }
  return {
    ok: true,
    approvalOf: (name) => stricterApproval(host(name), words.get(name) ?? 'never'),
    rest,
    written: input,
  };
}

const NO_WORD = {
  problem: 'approval is not one of its words',
  remedy: `write one of ${APPROVAL_WORDS.join(', ')}, or an object that gives one for each name of a tool`,
} as const;

function looserWords(word: ApprovalWord): { readonly problem: string; readonly remedy: string } {
  return {
    problem: 'approval asks about fewer calls than the host document does',
    remedy: `write a word as strict as ${word}, or leave approval out: a manifest can only be stricter`,
  };
}

function refused(
  rule: 'enum' | 'type' | 'ceiling',
  words: { readonly problem: string; readonly remedy: string },
): SelectedApproval {
  return { ok: false, fault: { field: 'approval', rule, words } };
}

function wordOf(text: string): ApprovalWord | null {
  return APPROVAL_WORDS.find((word) => word === text) ?? null;
}
