/** What pages of the site may load: their own files, and nothing that is written into a page. */
export const SITE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";
