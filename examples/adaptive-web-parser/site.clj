(ns site
  "What the parser is for: two pages of one site, and how many quotes each of them has at least.")

(def original
  "The page that is wanted."
  "https://quotes.example/today")

(def held-out
  "A page that nobody shows to the model. Selectors that fit only what was seen fail here."
  "https://quotes.example/archive")

(def least
  "Quotes of a page. Fewer, and the selectors are taken for broken."
  2)
