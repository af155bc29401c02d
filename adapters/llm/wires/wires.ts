import type { WireName } from '../vendors.ts';
import type { Wire } from './wire.ts';

/** Loads the library of one wire: each is read by those who ask its vendor alone. */
export async function wireOf(name: WireName): Promise<Wire> {
  switch (name) {
    case 'openai':
      return (await import('./openai.ts')).OPENAI;
    case 'anthropic':
      return (await import('./anthropic.ts')).ANTHROPIC;
    case 'google':
      return (await import('./google.ts')).GOOGLE;
    case 'bedrock':
      return (await import('./bedrock.ts')).BEDROCK;
  }
}
