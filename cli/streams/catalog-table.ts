import type { CatalogResult } from '../../contract/envelope/results.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import { visibleText } from '../../contract/visible-text.ts';
import { styled, wrapped, type Styling } from './styling.ts';

const INDENT = 2;

/**
 * What a server offers, for a terminal (providers.md §13): its words escaped, the arguments of each tool, and what a
 * gateway file pins of the installation.
 */
export function catalogTable({ provider, tools }: CatalogResult, configPin: string | null, styling: Styling): string {
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
  return `${[...(blocks.length === 0 ? ['The server offers nothing.'] : blocks), ...pin].join('\n\n')}\n`;
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
