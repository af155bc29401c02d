(ns pricing.discount
  "Discounts. No order has one at present.")

(defn reduced
  "An amount less a tenth of it."
  {:signature "(amount :int) -> :int" :effect :read}
  [amount]
  (- amount (quot amount 12)))
