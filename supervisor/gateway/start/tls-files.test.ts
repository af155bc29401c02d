import { expect } from 'chai';
import { certificateFault, keyFault } from './tls-files.ts';

const USER = 1000;

describe('files for TLS (first-day.md §5)', () => {
  for (const [owner, mode, isFit] of [
    [USER, 0o100_600, true],
    [USER, 0o100_400, true],
    [USER, 0o100_640, false],
    [USER, 0o100_604, false],
    [USER, 0o100_620, false],
    [0, 0o100_400, true],
    [0, 0o100_440, true],
    [0, 0o100_640, true],
    [0, 0o100_660, false],
    [0, 0o100_644, false],
    [1001, 0o100_600, false],
    [1001, 0o100_644, false],
  ] as const)
    it(`a key of ${owner} with mode ${(mode & 0o777).toString(8)} is ${isFit ? 'taken' : 'refused'}`, () => {
      expect(keyFault({ owner, mode }, USER) === null).to.equal(isFit);
    });

  for (const [owner, mode, isFit] of [
    [USER, 0o100_644, true],
    [0, 0o100_444, true],
    [USER, 0o100_664, false],
    [USER, 0o100_646, false],
    [1001, 0o100_644, false],
  ] as const)
    it(`a certificate of ${owner} with mode ${(mode & 0o777).toString(8)} is ${isFit ? 'taken' : 'refused'}`, () => {
      expect(certificateFault({ owner, mode }, USER) === null).to.equal(isFit);
    });
});
