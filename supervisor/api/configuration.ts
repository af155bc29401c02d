/** The settings of the process (config/settings.ts). */
export { loadConfiguration } from '../config/configuration.ts';
