import type { Options } from 'ajv/dist/2020.js';

/**
 * One reading of JSON Schema 2020-12 in both places: formats are annotations, the first fault is reported, nothing is
 * changed.
 */
export const AJV_OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  allErrors: false,
  ownProperties: true,
  unicodeRegExp: true,
  logger: false,
};
