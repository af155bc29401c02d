import { expect } from 'chai';
import { contractFaultText, contractFaultTexts } from './contract-fault-text.ts';

const unknown = (keyword: string) =>
  contractFaultText({ rule: 'unsupported_keyword', path: [], at: ['properties', 'a', keyword] });

describe('a fault of a contract in words', () => {
  it('names a keyword of JSON Schema that contracts do not have, and what to do without it', () => {
    expect(unknown('pattern')).to.deep.equal({
      problem: 'contracts have no keyword pattern',
      remedy: 'list the texts in enum, or bound them by minLength and maxLength and check the form in the workflow',
    });
  });

  it('names of any other word only the keyword near it', () => {
    expect(unknown('requierd').remedy).to.equal('did you mean required?');
    expect(unknown('s3cret').remedy).to.equal('remove it, or write one of the keywords of contracts');
    expect(JSON.stringify([unknown('s3cret'), unknown('constructor')])).not.to.match(/s3cret|constructor/u);
  });

  it('lists the keywords once for a file', () => {
    const problems = contractFaultTexts([
      { rule: 'type_missing', path: [] },
      { rule: 'unsupported_keyword', path: [], at: ['if'] },
      { rule: 'unsupported_keyword', path: [], at: ['else'] },
    ]).map(({ problem }) => problem);
    expect(problems[1]).to.match(/^contracts have no keyword if; the keywords are type, title, .*, format$/u);
    expect(problems[2]).to.equal('contracts have no keyword else');
  });

  it('says what a keyword may be, to which type it belongs, and which bound is wrong', () => {
    expect(contractFaultText({ rule: 'invalid_keyword_value', path: ['maxLength'] })).to.deep.equal({
      problem: 'maxLength does not take this value',
      remedy: 'write an integer from 0',
    });
    expect(contractFaultText({ rule: 'keyword_not_applicable', path: ['items'] })).to.deep.equal({
      problem: 'items belongs to type array',
      remedy: 'write "type": "array", or remove items',
    });
    expect(contractFaultText({ rule: 'bounds_inverted', path: [], at: ['minLength'] }).problem).to.equal(
      'minLength is above maxLength',
    );
  });

  it('knows types by the names of other languages, and mistyped ones', () => {
    const typed = (input: string) => contractFaultText({ rule: 'unsupported_type', path: ['type'], given: input });
    expect(typed('float').remedy).to.equal('did you mean number?');
    expect(typed('integr').remedy).to.equal('did you mean integer?');
    expect(typed('s3cret').remedy).to.match(/^write one of null, boolean, /u);
    expect(JSON.stringify(typed('s3cret'))).not.to.include('s3cret');
  });

  it('sends keywords beside the branches of a union into them', () => {
    const beside = (keyword: string) =>
      contractFaultText({ rule: 'unsupported_keyword', path: [], at: [keyword], besideOneOf: true }).remedy;
    expect([beside('type'), beside('s3cret')]).to.deep.equal(['move it into each branch', 'remove it']);
  });

  it('takes every other rule from the catalogue', () => {
    expect(contractFaultText({ rule: 'type_missing', path: [] }).problem).to.equal('the schema has no type');
  });
});
