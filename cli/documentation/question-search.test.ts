import { expect } from 'chai';
import { openQuestionSearch } from './question-search.ts';

const PAGES = Object.entries({
  costs: '# Keep costs bounded\n\nA limit on what a run spends.\n\n## Tokens\n\nA budget of tokens.',
  other: '# Something else\n\nnobody spends',
  none: '# Nothing\n\nhow do I',
}).map(([name, content]) => ({ name, content, weight: 1 }));

const pagesFor = (term: string, pages = PAGES) => [
  ...new Set(openQuestionSearch(pages)(term).matches.map(({ page }) => page)),
];

describe('a question to the documentation', () => {
  it('finds what it is about, whatever the endings, best answer first', () => {
    expect(pagesFor('How do I bound the cost of spending?')).to.deep.equal(['costs', 'other']);
    expect(pagesFor('Where is the budget of a token?')).to.deep.equal(['costs']);
    expect(openQuestionSearch(PAGES)('Where is the budget of a token?').matches[0]).to.deep.equal({
      page: 'costs',
      line: 7,
      text: 'A budget of tokens.',
      anchor: 'tokens',
    });
  });

  it('is a question only with words of one: everything else is looked for as it is', () => {
    expect(pagesFor('how do I')).to.deep.equal(['none']);
    expect(pagesFor('spend')).to.have.members(['costs', 'other']);
    expect(pagesFor('budget spends')).to.deep.equal(['costs']);
    expect(pagesFor('absent words entirely')).to.deep.equal([]);
    expect(pagesFor('What are absent words?')).to.deep.equal([]);
  });

  it('prefers pages that are worth more', () => {
    const weighted = PAGES.map((page) => ({ ...page, weight: page.name === 'other' ? 100 : 1 }));
    expect(pagesFor('Who is it that spends?', weighted)).to.deep.equal(['other', 'costs']);
  });
});
