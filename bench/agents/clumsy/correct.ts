import type { Answer } from '../../../conformance/servers/llm/script.ts';
import { calling } from './mistakes.ts';
import { dropProse, resubmit, nextBlock, programOf } from './rules/answers.ts';
import { mendArguments, nameArgument } from './rules/arguments.ts';
import { takeKey, takeName } from './rules/names.ts';
import { placeIn, type Rule } from './rules/rule.ts';
import { countSeen, returnPrinted, returnSeen, takeSeen } from './rules/seen.ts';
import {
  changeCloser,
  closeForm,
  closeText,
  doubleBackslash,
  dropCloser,
  dropColon,
  dropPair,
  renameNumber,
} from './rules/syntax.ts';
import { keepBound, takeWord, tryAgain, writeDate } from './rules/tools.ts';
import { boundIndex, dropArguments, dropCall, parseNumbers, swapArguments } from './rules/types.ts';
import { changeKeys, changeValue, followCheck, returnOnly } from './rules/values.ts';
import type { ScriptedModel } from './server.ts';

/** The first that fits what was told is followed. */
const RULES: readonly Rule[] = [
  resubmit,
  nextBlock,
  dropProse,
  closeText,
  closeForm,
  changeCloser,
  dropCloser,
  dropColon,
  renameNumber,
  doubleBackslash,
  dropPair,
  takeName,
  takeKey,
  parseNumbers,
  swapArguments,
  dropCall,
  boundIndex,
  dropArguments,
  nameArgument,
  mendArguments,
  takeWord,
  keepBound,
  writeDate,
  tryAgain,
  changeValue,
  changeKeys,
  followCheck,
  returnOnly,
  returnPrinted,
  countSeen,
  takeSeen,
  returnSeen,
];

/** The same kind of answer with another program: a block where there was no call, else a call. */
function sending(program: string, { text, toolCalls }: Answer): Answer {
  return text !== undefined && toolCalls === undefined
    ? { text: `\`\`\`clojure\n${program}\n\`\`\`` }
    : calling(program);
}

/** Returns the corrected answer, made from the task and the feedback alone; null: the feedback says too little. */
export function corrected(said: Answer, reported: string, task: string): Answer | null {
  const program = programOf(said);
  const place = placeIn(reported, program);
  for (const rule of RULES) {
    const changed = rule({ said, program, reply: reported, task, place });
    if (changed !== null) return typeof changed === 'string' ? sending(changed, said) : changed;
  }
  return null;
}

const ABANDONED = '(fail "What was told does not say what to change.")';

/**
 * A model that starts with a mistake and then uses only the feedback. It gives up where the feedback says too little.
 */
export function clumsyModel(first: Answer): ScriptedModel {
  let said = first;
  return ({ reply, task }) => {
    if (reply !== null) said = corrected(said, reply, task) ?? sending(ABANDONED, said);
    return said;
  };
}
