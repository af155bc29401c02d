import type { WireName } from '../vendors.ts';
import type { VendorWire } from './wire.ts';

const loaded = new Map<WireName, Promise<VendorWire>>();

/** The library of one wire, loaded once: each is read by those who ask its vendor alone. */
export function wireOf(name: WireName): Promise<VendorWire> {
  const wire = loaded.get(name) ?? load(name);
  loaded.set(name, wire);
  return wire;
}

async function load(name: WireName): Promise<VendorWire> {
  switch (name) {
    case 'chat':
      return (await import('./chat.ts')).CHAT;
    case 'responses':
      return (await import('./responses.ts')).RESPONSES;
    case 'anthropic':
      return (await import('./anthropic.ts')).ANTHROPIC;
    case 'google':
      return (await import('./google.ts')).GOOGLE;
    case 'bedrock':
      return (await import('./bedrock.ts')).BEDROCK;
    case 'ollama':
      return (await import('./ollama.ts')).OLLAMA;
  }
}
