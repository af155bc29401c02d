import { expect } from 'chai';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { errorOf, resultOf } from '../testing/result-of.ts';
import { callFailure, type CallFailure } from './call-failure.ts';
import { readCallResult, type ResultTerms } from './call-result.ts';

const TERMS: ResultTerms = {
  revision: '2026-07-28',
  hasOutputSchema: false,
  errorFeedback: 'closed',
  isInline: false,
  maxBytes: 1000,
};
const text = (words: string, more: object = {}): object => ({ type: 'text', text: words, ...more });
const resource = (more: object = {}): object => ({
  type: 'resource',
  resource: { uri: 'file:///a', text: 't', ...more },
});
const complete = (members: object, terms: Partial<ResultTerms> = {}): ReturnType<typeof readCallResult> =>
  readCallResult(resultOf({ resultType: 'complete', content: [], ...members }), { ...TERMS, ...terms });
/** SHA-256 of `ab`, and of nothing. */
const AB = 'fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603';
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const canonical = (plain: unknown): string => canonicalJson(Object(resultOf(plain)).result);
const value = (input: string): object => ({ kind: 'value', value: input, usage: null, finish: null });

describe('results of a tool (providers.md §7.5)', () => {
  const values: Readonly<Record<string, readonly [object, string, Partial<ResultTerms>?, number?]>> = {
    'its texts': [{ content: [text('a'), text('b')] }, '{"text":["a","b"]}'],
    'no text at all': [{}, '{"text":[]}'],
    'resources too': [
      { content: [text('a'), resource({ mimeType: 'm', _meta: {} })] },
      '{"resources":[{"mimeType":"m","text":"t","uri":"file:///a"}],"text":["a"]}',
    ],
    'nothing of what is only for people': [
      {
        content: [
          text('a', {
            _meta: { x: 1 },
            annotations: { audience: ['user', 'assistant'], priority: 0.5, lastModified: '2026-01-01' },
          }),
          text('b', { annotations: { priority: 1 } }),
        ],
        _meta: {},
      },
      '{"text":["a","b"]}',
    ],
    'the structured value of a tool that has a schema': [
      { structuredContent: { b: 1, a: 2 }, content: [text('a'), resource()] },
      '{"a":2,"b":1}',
      { hasOutputSchema: true },
      2,
    ],
    'the structured value whatever is beside it': [
      { structuredContent: {}, content: [{ type: 'image', data: '', mimeType: 'm' }, { type: 'other' }] },
      '{}',
      { hasOutputSchema: true },
      2,
    ],
    'a structured value that nothing is beside': [
      { structuredContent: {}, content: undefined },
      '{}',
      { hasOutputSchema: true },
    ],
    'its texts, whatever structure nobody announced': [
      { structuredContent: { a: 1 }, content: [text('a')] },
      '{"text":["a"]}',
      {},
      1,
    ],
    'images, audio and blobs by their digests, links by their names': [
      {
        content: [
          text('a'),
          { type: 'image', data: 'YWI=', mimeType: 'image/png' },
          { type: 'audio', data: '', mimeType: 'audio/wav' },
          { type: 'resource', resource: { uri: 'file:///b', mimeType: 'm', blob: 'YWI=' } },
          { type: 'resource_link', uri: 'file:///c', name: 'c', size: 7, title: 'C' },
        ],
      },
      canonical({
        text: ['a'],
        content: [
          { type: 'image', mimeType: 'image/png', bytes: 2, sha256: AB },
          { type: 'audio', mimeType: 'audio/wav', bytes: 0, sha256: EMPTY },
          { type: 'resource', uri: 'file:///b', mimeType: 'm', bytes: 2, sha256: AB },
          { type: 'resource_link', uri: 'file:///c', name: 'c', bytes: 7 },
        ],
      }),
    ],
    'the bytes too, where the host wants them': [
      {
        content: [
          { type: 'image', data: 'YWI=', mimeType: 'image/png' },
          { type: 'resource_link', uri: 'file:///c', name: 'c' },
        ],
      },
      canonical({
        text: [],
        content: [
          { type: 'image', mimeType: 'image/png', bytes: 2, sha256: AB, data: 'YWI=' },
          { type: 'resource_link', uri: 'file:///c', name: 'c' },
        ],
      }),
      { isInline: true },
    ],
    'what it knows of members that no revision has': [
      {
        more: 1,
        content: [text('a', { more: 1, annotations: { more: 1 } }), resource({ more: 1 })],
      },
      '{"resources":[{"text":"t","uri":"file:///a"}],"text":["a"]}',
    ],
    'what an earlier revision brings, which names no type': [
      { resultType: undefined, content: [text('a')] },
      '{"text":["a"]}',
      { revision: '2025-06-18' },
    ],
    'an error that is denied': [{ content: [text('a')], isError: false }, '{"text":["a"]}'],
    'just as many bytes as allowed': [{ content: [text('ab')] }, '{"text":["ab"]}', { maxBytes: 15 }],
  };
  for (const [what, [members, expected, terms, droppedBlocks]] of Object.entries(values)) {
    it(`give ${what}`, () => {
      expect(complete(members, terms)).to.deep.equal({
        ...value(expected),
        ...(droppedBlocks !== undefined && { droppedBlocks }),
      });
    });
  }

  const invalid: Readonly<Record<string, readonly [object, Partial<ResultTerms>?]>> = {
    'no content': [{ content: undefined }],
    'content that is no list': [{ content: {} }],
    'a kind of content that nobody knows': [{ content: [{ type: 'video', data: '', mimeType: 'video/mp4' }] }],
    'an image that is no base64': [{ content: [{ type: 'image', data: 'a b=', mimeType: 'image/png' }] }],
    'an image that is cut off': [{ content: [{ type: 'image', data: 'YWI', mimeType: 'image/png' }] }],
    'an image of no type': [{ content: [{ type: 'image', data: '' }] }],
    'a link without a name': [{ content: [{ type: 'resource_link', uri: 'file:///a' }] }],
    'a resource that is both': [{ content: [resource({ blob: '' })] }],
    'a text that is none': [{ content: [{ type: 'text', text: 1 }] }],
    'a resource of a type that is no text': [{ content: [resource({ mimeType: 1 })] }],
    'an audience of others': [{ content: [text('a', { annotations: { audience: ['dog'] } })] }],
    'a priority above one': [{ content: [text('a', { annotations: { priority: 1.5 } })] }],
    'a priority that is none': [{ content: [text('a', { annotations: { priority: 'high' } })] }],
    'metadata that is no object': [{ _meta: 1 }],
    'no structured value where a schema is': [{ content: [text('{}')] }, { hasOutputSchema: true }],
    'an error that is neither': [{ isError: 'yes' }],
  };
  for (const [what, [members, terms]] of Object.entries(invalid)) {
    it(`are invalid with ${what}`, () => {
      expect(complete(members, terms)).to.deep.equal(callFailure('mcp_invalid_result'));
    });
  }

  it('tell of a failure what is text, and leave out what is not', () => {
    const content = [text('a'), resource(), { type: 'image', data: '', mimeType: 'm' }];
    expect(complete({ isError: true, content }, { errorFeedback: 'bounded' })).to.deep.equal(
      callFailure('mcp_domain_error', { details: 'a' }),
    );
  });

  it('are refused beyond their bytes', () => {
    expect(complete({ content: [text('ab')] }, { maxBytes: 14 })).to.deep.equal(callFailure('mcp_response_exceeded'));
    expect(complete({ structuredContent: { a: 'é' } }, { maxBytes: 9, hasOutputSchema: true })).to.deep.equal(
      callFailure('mcp_response_exceeded'),
    );
  });

  const feedback: readonly (readonly [readonly string[], string])[] = [
    [['first', 'second'], 'first\nsecond'],
    [['a\n\tb\r\u0007\u0085'], 'a\n\tb\uFFFD\uFFFD\uFFFD'],
    [['x'.repeat(2000)], 'x'.repeat(1024)],
    [[`${'x'.repeat(1022)}€`], 'x'.repeat(1022)],
    [[], ''],
  ];
  it("tell of the tool's own failure only what the host lets through", () => {
    expect(complete({ isError: true, content: [text('secret')] })).to.deep.equal(callFailure('mcp_domain_error'));
    for (const [texts, details] of feedback) {
      expect(
        complete({ isError: true, content: texts.map((words) => text(words)) }, { errorFeedback: 'bounded' }),
      ).to.deep.equal(callFailure('mcp_domain_error', { details }));
    }
  });

  const elicitation = {
    method: 'elicitation/create',
    params: { message: 'm', requestedSchema: { type: 'object', properties: {} } },
  };
  const others: Readonly<Record<string, readonly [object, CallFailure]>> = {
    'another type': [{ resultType: 'task' }, 'mcp_unsupported_result'],
    'no type': [{ content: [] }, 'mcp_protocol_error'],
    'a demand of input': [
      { resultType: 'input_required', inputRequests: { a: elicitation } },
      'mcp_capability_negotiation_error',
    ],
    'several demands and a state': [
      {
        resultType: 'input_required',
        requestState: 's',
        inputRequests: {
          a: { method: 'roots/list' },
          b: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
          c: { method: 'elicitation/create', params: { mode: 'url', message: 'm', url: 'u' } },
        },
      },
      'mcp_capability_negotiation_error',
    ],
    'a state only': [{ resultType: 'input_required', requestState: 's' }, 'mcp_input_required_refused'],
    'a state and no demand': [
      { resultType: 'input_required', requestState: 's', inputRequests: {} },
      'mcp_input_required_refused',
    ],
    neither: [{ resultType: 'input_required' }, 'mcp_protocol_error'],
    'an unknown demand': [
      { resultType: 'input_required', inputRequests: { a: { method: 'tools/call' } } },
      'mcp_protocol_error',
    ],
    'a malformed demand': [
      { resultType: 'input_required', inputRequests: { a: elicitation, b: { method: 'elicitation/create' } } },
      'mcp_protocol_error',
    ],
    'demands that are no object': [
      { resultType: 'input_required', inputRequests: [elicitation] },
      'mcp_protocol_error',
    ],
    'a state that is no text': [{ resultType: 'input_required', requestState: 1 }, 'mcp_protocol_error'],
    'a demand with another member': [
      { resultType: 'input_required', requestState: 's', content: [] },
      'mcp_protocol_error',
    ],
  };
  for (const [what, [result, word]] of Object.entries(others)) {
    it(`fail as ${word} with ${what}`, () => {
      expect(readCallResult(resultOf(result), TERMS)).to.deep.equal(callFailure(word));
    });
  }
  it('fail with an error of the server, and with what is no answer', () => {
    expect(readCallResult(errorOf(-32602), TERMS)).to.deep.equal(callFailure('mcp_remote_error'));
    expect(readCallResult(null, TERMS)).to.deep.equal(callFailure('mcp_protocol_error'));
  });
});
