/** The process could not be set up as its variables ask; the message names variables and rules only. */
export class ConfigurationFault extends Error {
  override readonly name = 'ConfigurationFault';
}

/** By name: what starts the sandbox and what meets the fault are built into files of their own, with a class each. */
export function isConfigurationFault(error: unknown): error is ConfigurationFault {
  return error instanceof Error && error.name === 'ConfigurationFault';
}
