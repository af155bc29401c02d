import { expect } from 'chai';
import { CONTRACT_RULES, SCHEMA_RULES } from '../messages/documents.ts';
import {
  CONTRACT_KEYWORDS,
  CONTRACT_RULE_TEXTS,
  KEYWORD_TYPES,
  KEYWORD_VALUES,
  UNSUPPORTED_KEYWORD_REMEDIES,
} from './contracts.ts';
import {
  BOUND_PROBLEMS,
  EMPTY_PROBLEMS,
  RULE_PROBLEMS,
  SELECTION_RULE_PROBLEMS,
  SELECTION_RULE_REMEDIES,
} from './rules.ts';

describe('rules of documents in words', () => {
  const sentences = [
    ...Object.values(RULE_PROBLEMS),
    ...Object.values(BOUND_PROBLEMS),
    ...Object.values(EMPTY_PROBLEMS),
    ...Object.values(SELECTION_RULE_PROBLEMS),
    ...Object.values(SELECTION_RULE_REMEDIES),
    ...Object.values(UNSUPPORTED_KEYWORD_REMEDIES),
    ...Object.values(CONTRACT_RULE_TEXTS).flatMap(({ problem, remedy }) => [problem, remedy]),
  ];

  it('cover every rule', () => {
    expect(Object.keys(RULE_PROBLEMS)).to.deep.equal([...SCHEMA_RULES]);
    expect(Object.keys(CONTRACT_RULE_TEXTS)).to.deep.equal([...CONTRACT_RULES]);
  });

  it('are short lines that do not end in a stop', () => {
    for (const sentence of sentences) expect(sentence).to.match(/^[a-z$"][ -~…]{5,140}[^.\s]$/u);
  });

  it('say of supported keywords alone what they may be and where they belong', () => {
    expect([...CONTRACT_KEYWORDS, 'oneOf']).to.include.members([
      ...Object.keys(KEYWORD_VALUES),
      ...Object.keys(KEYWORD_TYPES),
    ]);
  });

  it('name no keyword as unsupported that is supported', () => {
    expect(
      Object.keys(UNSUPPORTED_KEYWORD_REMEDIES).filter((keyword) =>
        CONTRACT_KEYWORDS.some((known) => known === keyword),
      ),
    ).to.deep.equal([]);
  });
});
