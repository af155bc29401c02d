import {
  CONTRACT_KEYWORDS,
  CONTRACT_RULE_TEXTS,
  CONTRACT_TYPES,
  KEYWORD_TYPES,
  KEYWORD_VALUES,
  TYPES_BY_OTHER_NAMES,
  UNSUPPORTED_KEYWORD_REMEDIES,
  type RuleText,
} from '../../../contract/diagnostics/remedies/contracts.ts';
import type { ContractRule } from '../../../contract/diagnostics/messages/documents.ts';
import { didYouMean } from '../../../contract/names/suggestion.ts';
import type { ContractFault } from './contract-rule.ts';

/** Rules whose words depend on the value at their place; every other has those of the catalogue. */
const TEXTS: Readonly<Partial<Record<ContractRule, (fault: ContractFault, text: RuleText) => RuleText>>> = {
  unsupported_keyword: unsupportedKeyword,
  keyword_not_applicable: otherType,
  invalid_keyword_value: otherValue,
  bounds_inverted: invertedBounds,
  unsupported_type: otherTypeName,
  required_property_undeclared: ({ given = '', names = [] }, { problem, remedy }) => ({
    problem,
    remedy: didYouMean(given, names) ?? remedy,
  }),
};

/**
 * A fault of a contract in words. A keyword is named if it is one of JSON Schema; of any other word only the keyword
 * near it is reported.
 */
export function contractFaultText(fault: ContractFault): RuleText {
  const text = CONTRACT_RULE_TEXTS[fault.rule];
  return TEXTS[fault.rule]?.(fault, text) ?? text;
}

/** The faults of one file in words; the first that is a keyword lists all that there are. */
export function contractFaultTexts(faults: readonly ContractFault[]): readonly RuleText[] {
  const listing = faults.findIndex(({ rule, besideOneOf }) => rule === 'unsupported_keyword' && besideOneOf !== true);
  return faults.map((fault, index) => {
    const { problem, remedy } = contractFaultText(fault);
    return {
      problem: index === listing ? `${problem}; the keywords are ${CONTRACT_KEYWORDS.join(', ')}` : problem,
      remedy,
    };
  });
}

function unsupportedKeyword(fault: ContractFault, text: RuleText): RuleText {
  const keyword = keywordOf(fault);
  const known = of(UNSUPPORTED_KEYWORD_REMEDIES, keyword);
  if (fault.besideOneOf === true) {
    const isMovable = CONTRACT_KEYWORDS.some((one) => one === keyword);
    return {
      problem: 'beside oneOf a contract has only $schema, title and description',
      remedy: isMovable ? 'move it into each branch' : (known ?? 'remove it'),
    };
  }
  if (known !== undefined) return { problem: `contracts have no keyword ${keyword}`, remedy: known };
  return { problem: text.problem, remedy: didYouMean(keyword, CONTRACT_KEYWORDS) ?? text.remedy };
}

function otherType(fault: ContractFault, text: RuleText): RuleText {
  const keyword = keywordOf(fault);
  const known = of(KEYWORD_TYPES, keyword);
  return known === undefined ? text : { problem: `${keyword} belongs to type ${known.type}`, remedy: known.remedy };
}

function otherValue(fault: ContractFault, text: RuleText): RuleText {
  const keyword = keywordOf(fault);
  const wanted = of(KEYWORD_VALUES, keyword);
  return wanted === undefined ? text : { problem: `${keyword} does not take this value`, remedy: `write ${wanted}` };
}

function invertedBounds(fault: ContractFault, { remedy }: RuleText): RuleText {
  const lower = keywordOf(fault);
  return { problem: `${lower} is above ${lower.replace('min', 'max')}`, remedy };
}

function otherTypeName({ given = '' }: ContractFault, { problem, remedy }: RuleText): RuleText {
  const target = of(TYPES_BY_OTHER_NAMES, given.toLowerCase());
  const near = target === undefined ? didYouMean(given, CONTRACT_TYPES) : `did you mean ${target}?`;
  return { problem: `${problem}; the types are ${CONTRACT_TYPES.join(', ')}`, remedy: near ?? remedy };
}

function keywordOf({ at, path }: ContractFault): string {
  return (at ?? path).at(-1) ?? '';
}

/** A member of a table by a word that somebody wrote. */
function of<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
