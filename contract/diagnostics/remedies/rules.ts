import type { SchemaRule } from '../messages/documents.ts';
import type { SelectionRule } from '../messages/programs.ts';

/**
 * Rules of documents in the words of people: what is wrong, and what to do. Terminal, pipe, and documentation take them
 * from here; the messages of diagnostics keep the names of the rules (documents.md §13).
 */

/** What is wrong with a value that breaks a rule of a schema. */
export const RULE_PROBLEMS: Readonly<Record<SchemaRule, string>> = {
  const: 'only one value is allowed here, and this is another',
  contains: 'an item that must be there is missing',
  duplicate_property: 'the object has this key twice',
  enum: 'the value is not one of those that are allowed',
  max_items: 'the list is too long',
  max_length: 'the text is too long',
  max_properties: 'the object has too many members',
  maximum: 'the number is too large',
  min_items: 'the list is too short',
  min_length: 'the text is too short',
  min_properties: 'the object has too few members',
  minimum: 'the number is too small',
  multiple_of: 'the number is not a multiple of what is asked for',
  not: 'the value is one that is excluded',
  one_of: 'the value does not have one of the allowed forms',
  pattern: 'the text does not have the form that is asked for',
  required: 'a required member is missing',
  schema: 'the value does not have the form that is asked for',
  type: 'the value is of the wrong type',
  unique_items: 'an item is in the list twice',
  unknown_property: 'the member is unknown here',
};

/** The same where the bound is known: `BOUND`, `UNIT` of a text. */
export const BOUND_PROBLEMS: Readonly<Partial<Record<SchemaRule, string>>> = {
  max_items: 'the list has more than BOUND items',
  max_length: 'the text is longer than BOUND UNIT',
  max_properties: 'the object has more than BOUND members',
  maximum: 'the number is above BOUND',
  min_items: 'the list has fewer than BOUND items',
  min_length: 'the text is shorter than BOUND UNIT',
  min_properties: 'the object has fewer than BOUND members',
  minimum: 'the number is below BOUND',
};

/** The same where at least one is asked for. */
export const EMPTY_PROBLEMS: Readonly<Partial<Record<SchemaRule, string>>> = {
  min_items: 'the list is empty',
  min_length: 'the text is empty',
  min_properties: 'the object is empty',
};

/** What is wrong with the `config` of a selection; `BOUND` means the bound that is known. */
export const SELECTION_RULE_PROBLEMS: Readonly<Record<SelectionRule, string>> = {
  type: 'the value is of the wrong type',
  minimum: 'fewer than BOUND are asked for',
  maximum: 'more than BOUND are asked for',
  ceiling: 'more than BOUND is asked for, the ceiling of the installation',
  limit: 'more than BOUND is asked for, which the limits of the run allow',
  enum: 'the provider does not have what is named here',
  unique_items: 'an item is in the list twice',
  subset: 'a name is missing in allow',
  required: 'the tools that the mission may call are not listed',
  not_applicable: 'the member does not belong to this destination',
  unsupported_source: 'the source of the provider is not supported here',
};

/**
 * What to write into the `config` of a selection (documents.md §3, "Selections"); `BOUND` means the bound that is
 * known.
 */
export const SELECTION_RULE_REMEDIES: Readonly<Record<SelectionRule, string>> = {
  type: 'write a value of the type that the field has: a number is an integer, a flag is true or false, a list is a list of names',
  minimum: 'write at least BOUND',
  maximum: 'write at most BOUND',
  ceiling: 'write at most BOUND, the ceiling that the installation sets in the host document',
  limit: 'write at most BOUND, which the limits of the run allow, or raise that limit',
  enum: 'write only names that the installation declares under "as", or leave the field out',
  unique_items: 'list each name once',
  subset: 'list only names that allow lists too',
  required: 'list in allow the tools that the mission may call: some of this installation write',
  not_applicable: 'remove the field: it does not belong to this destination',
  unsupported_source: 'select a provider of another source',
};
