import { expect } from 'chai';
import { endedWithParent } from './parent-death.ts';

function files(contents: Readonly<Record<string, string>>): (path: string) => Buffer {
  return (path) => {
    const text = contents[path];
    if (text === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
    return Buffer.from(text);
  };
}

const KNOWS = '\u007fELF … keep-groups\0pdeathsig\0reuid';
const BUSYBOX = '\u007fELF … setpriv\0nnp\0inh-caps';

describe('words before a command that end it with its parent', () => {
  const cases: readonly (readonly [
    title: string,
    platform: NodeJS.Platform,
    contents: Readonly<Record<string, string>>,
    expected: readonly string[],
  ])[] = [
    [
      'Linux with util-linux',
      'linux',
      { '/usr/bin/setpriv': KNOWS },
      ['/usr/bin/setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--'],
    ],
    [
      'Linux that has it in /bin',
      'linux',
      { '/usr/bin/setpriv': BUSYBOX, '/bin/setpriv': KNOWS },
      ['/bin/setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--'],
    ],
    ['Linux whose setpriv is another, or older', 'linux', { '/usr/bin/setpriv': BUSYBOX }, []],
    ['Linux without it', 'linux', {}, []],
    ['macOS', 'darwin', { '/usr/bin/setpriv': KNOWS }, []],
  ];
  for (const [title, platform, contents, expected] of cases) {
    it(title, () => expect(endedWithParent(platform, 'none', files(contents))).to.deep.equal(expected));
  }

  it('take the capabilities that are named', () => {
    const words = (dropped: 'all' | 'inherited') =>
      endedWithParent('linux', dropped, files({ '/usr/bin/setpriv': KNOWS })).slice(4);
    expect(words('inherited')).to.deep.equal(['--inh-caps=-all', '--ambient-caps=-all', '--']);
    expect(words('all')).to.deep.equal(['--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all', '--']);
  });
});
