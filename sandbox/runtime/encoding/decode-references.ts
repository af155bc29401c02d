import { makeMultiMethod } from '../builtins/multimethods.ts';
import { LispError, type ErrorReason, type PublicFacts } from '../errors.ts';
import { isFunction, type LispFunction } from '../invoke.ts';
import { withMeta } from '../metadata.ts';
import { regex } from '../regex/pattern.ts';
import { Atom, Delay, Reduced, Volatile } from '../values/atom.ts';
import { dateFormatter } from '../values/date-formatter.ts';
import { classNamed } from '../values/java.ts';
import { EMPTY_MAP } from '../values/array-map.ts';
import { Keyword, keyword } from '../values/keyword.ts';
import { LispMap } from '../values/map.ts';
import { Protocol } from '../values/protocol.ts';
import { RecordType } from '../values/record.ts';
import { Reified } from '../values/reified.ts';
import { Regex } from '../regex/regex.ts';
import { TextMatcher } from '../regex/text-matcher.ts';
import { Vector } from '../values/vector.ts';
import { SharedCell } from '../values/shared-cell.ts';
import { symbol } from '../values/symbol.ts';
import type { Compound, Compounds, Decoding } from './decoding.ts';
import { makerNamed } from './makers.ts';
import { TAGS } from './tags.ts';

const NOTHING: Compound['head'] = () => ({ parts: 0 });

function named(numbered: Compound['numbered'], make: Compound['make'], parts = 0): Compound {
  return { numbered, head: (decoding) => ({ parts, said: [decoding.name()] }), make };
}

function qualified(make: Compound['make']): Compound {
  return { numbered: 'tag', head: (decoding) => ({ parts: 0, said: [decoding.name(), decoding.name()] }), make };
}

/** A value under a name that every isolate has, with metadata of its own where it is written so. */
function found(value: unknown, name: string, meta: unknown, { reader }: Decoding): unknown {
  if (value === undefined) return reader.fail(`nothing is called ${name.slice(0, 64)}`);
  return meta === null ? value : withMeta(value, meta);
}

function madeFunction(f: unknown, meta: unknown, { reader }: Decoding): unknown {
  if (!isFunction(f)) return reader.fail('no function');
  return meta === null ? f : withMeta(f, meta);
}

/** `reason`s are texts that messages show; one that no runtime gives is as harmless as any. */
function isReason(text: string): text is ErrorReason {
  return /^[a-z_]{1,64}$/.test(text);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function factsOf([operation, expected, input, word]: readonly unknown[], count: unknown): PublicFacts | null {
  if (count === false) return null;
  return {
    ...(typeof operation === 'string' ? { operation } : {}),
    ...(typeof expected === 'string' ? { expected } : {}),
    ...(typeof input === 'string' ? { given: input } : {}),
    ...(typeof count === 'number' ? { count } : {}),
    ...(typeof word === 'string' ? { word } : {}),
  };
}

export const REFERENCES: Compounds = {
  [TAGS.qualifiedKeyword]: qualified(({ said: [namespace = '', name = ''] }) => keyword(namespace, name)),
  [TAGS.symbol]: named('metadata', ({ said: [name = ''], meta }) => symbol(null, name, meta)),
  [TAGS.qualifiedSymbol]: {
    ...qualified(({ said: [namespace = '', name = ''], meta }) => symbol(namespace, name, meta)),
    numbered: 'metadata',
  },
  [TAGS.class]: named('never', ({ said: [name = ''] }) => classNamed(name)),
  [TAGS.variable]: qualified(({ said: [namespace = '', name = ''] }, { world, later }) => {
    const variable = world.variable(namespace, name);
    return world.isOwn(variable) ? later(variable) : variable;
  }),
  [TAGS.atom]: { numbered: 'tag', head: NOTHING, make: (_, { later }) => later(new Atom(null, null, null)) },
  [TAGS.volatile]: { numbered: 'tag', head: NOTHING, make: (_, { later }) => later(new Volatile(null)) },
  [TAGS.cell]: { numbered: 'tag', head: NOTHING, make: (_, { later }) => later(new SharedCell()) },
  [TAGS.delay]: { numbered: 'tag', head: NOTHING, make: (_, { later }) => later(new Delay(() => null)) },
  [TAGS.reduced]: { numbered: 'tag', head: () => ({ parts: 1 }), make: ({ items: [value] }) => new Reduced(value) },
  [TAGS.multimethod]: named(
    'tag',
    ({ said: [name = ''], items: [dispatch, defaultValue, hierarchy] }, { effects, later }) =>
      later(makeMultiMethod(effects, { name, dispatch, defaultValue, hierarchy })),
    3,
  ),
  [TAGS.protocol]: {
    numbered: 'tag',
    head: (decoding) => ({ parts: 2, said: [decoding.name(), decoding.name()] }),
    make: ({ said: [namespace = '', name = ''], items: [methods, viaMetadata] }, { later, reader }) =>
      methods instanceof LispMap
        ? later(
            new Protocol({ namespace, name, methods, viaMetadata: viaMetadata === true, implementations: EMPTY_MAP }),
          )
        : reader.fail('no protocol'),
  },
  [TAGS.recordType]: named(
    'tag',
    ({ said: [name = ''], items: [fields, methods] }, { reader }) => {
      const keys = fields instanceof Vector ? fields.toArray() : [];
      return fields instanceof Vector && keys.every((key) => key instanceof Keyword) && methods instanceof LispMap
        ? new RecordType(name, keys, methods)
        : reader.fail('no record type');
    },
    2,
  ),
  [TAGS.reified]: named(
    'tag',
    ({ said: [name = ''], items: [methods], meta }, { reader }) =>
      methods instanceof LispMap ? new Reified(name, methods, meta) : reader.fail('no methods'),
    1,
  ),
  [TAGS.matcher]: {
    numbered: 'tag',
    head: () => ({ parts: 2 }),
    make: ({ items: [pattern, text] }, { later, reader }) =>
      pattern instanceof Regex && typeof text === 'string'
        ? later(new TextMatcher(pattern, text))
        : reader.fail('no matcher'),
  },
  [TAGS.exception]: {
    numbered: 'tag',
    head: (decoding) => ({ parts: 8, said: [decoding.name(), decoding.name()] }),
    make: ({ said: [reason = '', className = ''], items }, { reader }) => {
      const [message, operation, expected, input, word, count, data, cause] = items;
      if (!isReason(reason)) return reader.fail('no reason');
      return new LispError(
        reason,
        className,
        textOrNull(message),
        data,
        cause,
        factsOf([operation, expected, input, word], count),
      );
    },
  },
  [TAGS.program]: named('tag', ({ said: [source = ''] }, { world }) => world.program(source)),
  [TAGS.regex]: named('tag', ({ said: [source = ''] }, { reader }) => {
    const made = regex(source);
    return made.ok ? made.value : reader.fail('no pattern');
  }),
  [TAGS.formatter]: named(
    'tag',
    ({ said: [pattern = ''] }, { reader }) => dateFormatter(pattern) ?? reader.fail('no date pattern'),
  ),
  [TAGS.named]: named('metadata', ({ said: [name = ''], meta }, decoding) =>
    found(decoding.world.named(name), name, meta, decoding),
  ),
  [TAGS.exported]: named('metadata', ({ said: [name = ''], meta }, decoding) =>
    found(decoding.world.exported(name), name, meta, decoding),
  ),
  [TAGS.builtin]: named('metadata', ({ said: [name = ''], meta }, decoding) =>
    found(decoding.world.builtin(name), name, meta, decoding),
  ),
  [TAGS.derived]: {
    numbered: 'tag',
    head: (decoding) => {
      const name = decoding.name();
      return { parts: decoding.reader.count(), said: [name] };
    },
    make: ({ said: [name = ''], items, meta }, decoding) => {
      const maker = makerNamed(decoding.world, name);
      return madeFunction(maker === null ? undefined : maker(...items), meta, decoding);
    },
  },
  [TAGS.unit]: {
    numbered: 'tag',
    head: (decoding) => {
      const block = decoding.name();
      const number = decoding.reader.upTo(':');
      return { parts: decoding.reader.count(), said: [`${block}:${number}`] };
    },
    make: ({ said: [unit = ''], items, meta }, decoding) => {
      const make: LispFunction | null = decoding.world.factory(unit);
      return madeFunction(
        make === null ? decoding.reader.fail('the code of a function is missing') : make(...items),
        meta,
        decoding,
      );
    },
  },
};
