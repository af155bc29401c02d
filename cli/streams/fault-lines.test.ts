import { expect } from 'chai';
import { explainedFault, type ExplainedPlace } from '../../contract/diagnostics/explanation.ts';
import { faultLines } from './fault-lines.ts';

const place = (line: number, within: string | null = 'main/f'): ExplainedPlace => ({
  file: 'main.clj',
  line,
  column: 3,
  within,
  excerpt: null,
});

describe('an explanation in a pipe (cli.md §4)', () => {
  it('is the place, the calls that led there, what is wrong and what to do', () => {
    const fault = explainedFault({
      place: place(21),
      callers: [place(30, 'main/run')],
      problem: 'p',
      data: '{:a 1}',
      candidates: [place(4)],
      remedy: 'r',
    });
    expect(faultLines({ faults: [fault], omitted: 0 })).to.deep.equal([
      '  at main.clj:21:3 (main/f)',
      '  called at main.clj:30:3 (main/run)',
      '  problem: p',
      '  data: {:a 1}',
      '  perhaps main.clj:4:3 (main/f)',
      '  remedy: r',
    ]);
  });

  it('is a line for each other fault, and tells how many it leaves out', () => {
    const faults = [
      explainedFault({ place: place(1, null) }),
      explainedFault({ place: place(2, null), problem: 'q', remedy: 's' }),
    ];
    expect(faultLines({ faults, omitted: 3 })).to.deep.equal([
      '  at main.clj:1:3',
      'also main.clj:2:3: q; s',
      'also 3 more',
    ]);
  });

  it('is nothing without faults', () => {
    expect(faultLines({ faults: [], omitted: 0 })).to.deep.equal([]);
  });

  it('keeps what a program says on one line, without control characters, within 512 characters', () => {
    const [problem = '', data = ''] = faultLines({
      faults: [explainedFault({ problem: 'a\n\u001b[31mb\u202ec', data: '😀'.repeat(600) })],
      omitted: 0,
    });
    expect(problem).to.equal('  problem: a ⟨U+001B⟩[31mb⟨U+202E⟩c');
    expect(Array.from(data)).to.have.lengthOf('  data: '.length + 512);
    expect(data.endsWith('…')).to.equal(true);
  });

  it('quotes a file of other characters', () => {
    expect(
      faultLines({ faults: [explainedFault({ place: { ...place(1, null), file: 'a b\n.clj' } })], omitted: 0 }),
    ).to.deep.equal(['  at "a b\\n.clj":1:3']);
  });

  const excerpt = { text: '(nth xs 9)', length: 10 };
  const opened: ExplainedPlace = { ...place(7), column: 1, opens: 'app/main.clj', excerpt };

  it('shows the file as a person may open it, and no line of a text, in a pipe (first-day.md §3)', () => {
    expect(faultLines({ faults: [explainedFault({ place: opened })], omitted: 0 })).to.deep.equal([
      '  at app/main.clj:7:1 (main/f)',
    ]);
  });

  it('has path, line and caret at a terminal, for each place', () => {
    const faults = [
      explainedFault({ place: opened, candidates: [opened], remedy: 'r' }),
      explainedFault({ place: opened, problem: 'p' }),
    ];
    const lines = ['  7 | (nth xs 9)', '    | ^^^^^^^^^^'];
    expect(faultLines({ faults, omitted: 0 }, { colour: false, width: 80 })).to.deep.equal([
      '  at app/main.clj:7:1 (main/f)',
      ...lines,
      '  perhaps app/main.clj:7:1 (main/f)',
      ...lines,
      '  remedy: r',
      'also app/main.clj:7:1 (main/f): p',
      ...lines,
    ]);
  });

  it('sets its words off in colour', () => {
    expect(
      faultLines({ faults: [explainedFault({ remedy: 'r' })], omitted: 0 }, { colour: true, width: 80 }),
    ).to.deep.equal(['  \u001b[1mremedy:\u001b[22m r']);
  });
});
