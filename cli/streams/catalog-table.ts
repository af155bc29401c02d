import type { CatalogResult } from '../../contract/envelope/results.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { visibleJson, visibleText } from '../../contract/visible-text.ts';
import { styled, wrapped, type Styling } from './styling.ts';

const INDENT = 2;

/** What is printed in addition to the tools. */
export interface CatalogFacts {
  /** What a gateway file pins of the installation; null without. */
  readonly configPin: string | null;
  /** `tools` of an installation that maps all of them. */
  readonly mapping: JsonObject;
}

/**
 * What a server offers, for people (providers.md §13): its words escaped, the arguments of each tool, a mapping to
 * paste (world.md §2.3), and what a gateway file pins of the installation.
 */
export function catalogTable(
  { provider, tools }: CatalogResult,
  { configPin, mapping }: CatalogFacts,
  styling: Styling,
): string {
  const blocks = tools.map(({ name, description, input_schema: input, output_schema: output }) => {
    const facts = [
      ...(description === undefined || description === '' ? [] : [visibleText(description)]),
      argumentsOf(input),
      ...(output === undefined ? [] : ['gives structured content']),
    ];
    return [
      styled(visibleText(name), 'bold', styling),
      ...facts.map((fact) => `${' '.repeat(INDENT)}${wrapped(fact, styling.width, INDENT)}`),
    ].join('\n');
  });
  const pin = configPin === null ? [] : [`"installation_config_pins": {"${provider}": "${configPin}"}`];
  const paste = mapping.size === 0 ? [] : [mappingText(mapping, styling)];
  return `${[...(blocks.length === 0 ? ['The server offers nothing.'] : blocks), ...paste, ...pin].join('\n\n')}\n`;
}

/** Lines that are JSON as they are: nothing in them is wrapped. */
function mappingText(mapping: JsonObject, styling: Styling): string {
  const head =
    'To map these tools, paste this into the installation. Effects are what the server says of itself: check them. ' +
    'One row, "*": {"effect": "write"}, maps all of them.';
  const rows = [...mapping].map(([name, row]) => `  ${jsonLine(name)}: ${jsonLine(row)}`);
  return [wrapped(head, styling.width, 0), `"tools": {\n${rows.join(',\n')}\n}`].join('\n');
}

/** Canonical JSON with a space behind each colon and comma between members. */
function jsonLine(value: JsonValue): string {
  if (!isJsonObject(value)) return visibleJson(canonicalJson(value));
  return `{${[...value].map(([key, member]) => `${jsonLine(key)}: ${jsonLine(member)}`).join(', ')}}`;
}

function argumentsOf(schema: JsonValue): string {
  const [properties, required] = isJsonObject(schema) ? [schema.get('properties'), schema.get('required')] : [];
  const names = isJsonObject(properties) ? [...properties.keys()] : [];
  const isRequired = (name: string): boolean =>
    required !== undefined && isJsonArray(required) && required.includes(name);
  return names.length === 0
    ? 'takes no arguments'
    : `takes ${names.map((name) => `${visibleText(name)}${isRequired(name) ? '' : '?'}`).join(', ')}`;
}
