import { expect } from 'chai';
import { errorOf, resultOf } from '../testing/result-of.ts';
import { callFailure, type CallFailure } from './call-failure.ts';
import { readCallResult, type ResultTerms } from './call-result.ts';

const TERMS: ResultTerms = { hasOutputSchema: false, errorFeedback: 'closed', maxBytes: 1000 };
const text = (words: string, more: object = {}): object => ({ type: 'text', text: words, ...more });
const resource = (more: object = {}): object => ({
  type: 'resource',
  resource: { uri: 'file:///a', text: 't', ...more },
});
const complete = (members: object, terms: Partial<ResultTerms> = {}): ReturnType<typeof readCallResult> =>
  readCallResult(resultOf({ resultType: 'complete', content: [], ...members }), { ...TERMS, ...terms });
const value = (given: string): object => ({ kind: 'value', value: given, usage: null, finish: null });

describe('results of a tool (providers.md §7.5)', () => {
  const values: Readonly<Record<string, readonly [object, string, Partial<ResultTerms>?]>> = {
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
    ],
    'an error that is denied': [{ content: [text('a')], isError: false }, '{"text":["a"]}'],
    'just as many bytes as allowed': [{ content: [text('ab')] }, '{"text":["ab"]}', { maxBytes: 15 }],
  };
  for (const [what, [members, expected, terms]] of Object.entries(values)) {
    it(`give ${what}`, () => {
      expect(complete(members, terms)).to.deep.equal(value(expected));
    });
  }

  const invalid: Readonly<Record<string, readonly [object, Partial<ResultTerms>?]>> = {
    'no content': [{ content: undefined }],
    'content that is no list': [{ content: {} }],
    'an image': [{ content: [{ type: 'image', data: '', mimeType: 'image/png' }] }],
    audio: [{ content: [text('a'), { type: 'audio', data: '', mimeType: 'audio/wav' }] }],
    'a link': [{ content: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }] }],
    'a blob': [{ content: [{ type: 'resource', resource: { uri: 'file:///a', blob: '' } }] }],
    'a text that is none': [{ content: [{ type: 'text', text: 1 }] }],
    'a block with another member': [{ content: [text('a', { more: 1 })] }],
    'a resource with another member': [{ content: [resource({ more: 1 })] }],
    'a resource of a type that is no text': [{ content: [resource({ mimeType: 1 })] }],
    'a result with another member': [{ more: 1 }],
    'an audience of others': [{ content: [text('a', { annotations: { audience: ['dog'] } })] }],
    'a priority above one': [{ content: [text('a', { annotations: { priority: 1.5 } })] }],
    'a priority that is none': [{ content: [text('a', { annotations: { priority: 'high' } })] }],
    'another annotation': [{ content: [text('a', { annotations: { more: 1 } })] }],
    'metadata that is no object': [{ _meta: 1 }],
    'a structured value where no schema is': [{ structuredContent: {} }],
    'no structured value where a schema is': [{ content: [text('{}')] }, { hasOutputSchema: true }],
    'an image beside a structured value': [
      { structuredContent: {}, content: [{ type: 'image', data: '', mimeType: 'm' }] },
      { hasOutputSchema: true },
    ],
    'an error that is neither': [{ isError: 'yes' }],
    'an error with a resource': [{ isError: true, content: [text('a'), resource()] }],
  };
  for (const [what, [members, terms]] of Object.entries(invalid)) {
    it(`are invalid with ${what}`, () => {
      expect(complete(members, terms)).to.deep.equal(callFailure('mcp_invalid_result'));
    });
  }

  it('are refused beyond their bytes', () => {
    expect(complete({ content: [text('ab')] }, { maxBytes: 14 })).to.deep.equal(callFailure('mcp_response_exceeded'));
    expect(complete({ structuredContent: { a: 'é' } }, { maxBytes: 9, hasOutputSchema: true })).to.deep.equal(
      callFailure('mcp_response_exceeded'),
    );
  });

  const feedback: readonly (readonly [readonly string[], string])[] = [
    [['first', 'second'], 'first\nsecond'],
    [['a\nb\u0007\u0085'], 'a\uFFFDb\uFFFD\uFFFD'],
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
