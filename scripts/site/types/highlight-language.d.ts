/** A language of highlight.js, which only highlight.js reads. */
type Language = (highlight: object) => object;
declare const language: Language;
export default language;
