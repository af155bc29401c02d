import { expect } from 'chai';
import { describeConfiguration } from '../../system/configuration/describe-configuration.ts';
import { configTable } from './config.ts';

const TERMINAL = { colour: true, width: 60 };

describe('the table of settings at a terminal (cli.md §10, config)', () => {
  it('sets off what the environment sets, and wraps to the width', async () => {
    const text = configTable(await describeConfiguration({ SVC_OUTPUT: 'json' }), TERMINAL);
    expect(text).to.include('\u001b[1mSVC_OUTPUT\u001b[22m  json  (from the environment)\n');
    expect(text).to.include('SVC_LOG_LEVEL  silent  (default)\n').and.include('SVC_OTEL  (not set)\n');
    expect(text.split('\n').filter((line) => line.length > 60 && !line.includes('\u001b'))).to.deep.equal([]);
  });

  it('shows neither a secret nor a wrong value, and nothing that acts on the terminal', async () => {
    const text = configTable(
      await describeConfiguration({
        SVC_VIEWER_TOKEN: 'ẞ'.repeat(32),
        SVC_LOG_LEVEL: 'ẞ',
        SVC_PAGER: 'less\u001b[2J\r\u0007',
      }),
      TERMINAL,
    );
    expect(text).not.to.include('ẞ');
    expect(text).to.include('  (set; its value is not shown)\n');
    expect(text).to.include('\u001b[31m(set to what it may not be: it must be one of silent, debug)\u001b[39m\n');
    expect(text.replaceAll(/\u001b\[(?:1|22|31|39)m/g, '')).not.to.match(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
