interface Configuration {
  readonly repl_enabled: boolean;
  readonly page_bootstrap_nonce?: string;
  readonly live_enabled: boolean;
  readonly approvals_enabled?: boolean;
  readonly live_mutation_nonce?: string;
  readonly application?: { readonly name: string; readonly fingerprint: string };
}

/** What the serving process passed to this page; an exported file gets nothing. */
export function configuration(): Configuration {
  const content = document.querySelector<HTMLMetaElement>('meta[name="svc-viewer-config"]')?.content ?? '';
  try {
    const bytes = Uint8Array.from(atob(content.replaceAll('-', '+').replaceAll('_', '/')), (unit) =>
      unit.charCodeAt(0),
    );
    const configuration: Configuration = JSON.parse(new TextDecoder().decode(bytes));
    return configuration;
  } catch {
    return { repl_enabled: false, live_enabled: false };
  }
}
