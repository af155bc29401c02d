import { expect } from 'chai';
import { parameterValues } from './parameter-headers.ts';

const HEADERS = [{ property: 'region', header: 'mcp-param-region' }, { property: 'count', header: 'mcp-param-count' }, { property: 'dry', header: 'mcp-param-dry' }];

describe('arguments that travel as headers (providers.md §7.1)', () => {
  const rows: Readonly<Record<string, readonly [string, readonly (readonly [string, string])[]]>> = {
    'each as its text': ['{"count":-7,"dry":false,"other":1,"region":"eu ß"}', [['mcp-param-region', 'eu ß'], ['mcp-param-count', '-7'], ['mcp-param-dry', 'false']]],
    'none that is null or missing': ['{"region":null}', []],
    'none that is no such value': ['{"count":1.5,"dry":[],"region":{}}', []],
    'an integral float as the integer that it is': ['{"count":2.0}', [['mcp-param-count', '2']]],
  };
  for (const [what, [given, expected]] of Object.entries(rows)) {
    it(what, () => {
      expect(parameterValues(HEADERS, given).map(({ header, value }) => [header, value])).to.deep.equal(expected);
    });
  }
});
