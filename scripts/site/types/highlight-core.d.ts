/** What the site needs of highlight.js, whose own types bring those of a browser into every file. */
interface Highlighter {
  registerLanguage(name: string, language: (highlight: object) => object): void;
  getLanguage(name: string): object | undefined;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals?: boolean },
  ): {
    readonly value: string;
  };
}
declare const highlight: Highlighter;
export default highlight;
