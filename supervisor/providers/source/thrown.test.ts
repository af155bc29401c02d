import { expect } from 'chai';
import { thrownFacts } from './thrown.ts';

const trap = (): never => {
  throw new Error('code of the error was run');
};

describe('what a function threw (evidence.md §6, capability-exception)', () => {
  it('is told by class, message and frames', () => {
    const facts = thrownFacts(new RangeError('m'));
    expect(facts).to.include({
      exceptionClass: 'RangeError',
      message: 'm',
      isMessageTruncated: false,
      isStackTruncated: false,
    });
    expect(facts.frames[0]).to.match(/^at /);
  });

  it('is cut to its bounds', () => {
    expect(thrownFacts(new Error('x'.repeat(4096)))).to.include({ isMessageTruncated: false });
    expect(thrownFacts(new Error('x'.repeat(4097)))).to.include({
      isMessageTruncated: true,
      message: 'x'.repeat(4096),
    });
    const deep = Object.defineProperty(new Error('m'), 'stack', { value: `Error\n${'    at f\n'.repeat(65)}` });
    expect(thrownFacts(deep)).to.deep.include({
      isStackTruncated: true,
      frames: Array.from({ length: 64 }, () => 'at f'),
    });
  });

  const rows: readonly (readonly [string, unknown, string])[] = [
    ['a text', 'no', 'string'],
    ['nothing', undefined, 'undefined'],
    [
      'a proxy',
      new Proxy(new Error('m'), { get: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap }),
      'object',
    ],
    [
      'an error whose members are code',
      Object.defineProperties(new Error('m'), { message: { get: trap }, stack: { get: trap } }),
      'Error',
    ],
    [
      'an error of a class that is code',
      Object.setPrototypeOf(new Error('m'), Object.defineProperty({}, 'constructor', { get: trap })),
      'Error',
    ],
    ['a lone surrogate', new Error('\ud800'), 'Error'],
  ];
  for (const [title, thrown, exceptionClass] of rows) {
    it(`may be ${title}, of which no code is run`, () => {
      const facts = thrownFacts(thrown);
      expect(facts.exceptionClass).to.equal(exceptionClass);
      expect(facts.message.isWellFormed()).to.equal(true);
    });
  }
});
