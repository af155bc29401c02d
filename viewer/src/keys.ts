import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Calls the action of a key that is pressed outside of fields; `/` and Escape work everywhere. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions);
  // Before the next key: one that comes right behind another must find what that one changed.
  useLayoutEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      // A dialog has its own keys, Escape among them; an editor has already done what its own say.
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        document.querySelector('dialog[open]') !== null
      )
        return;
      const isTyping = takesText(event.composedPath()[0]);
      const action = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (action === undefined || (isTyping && event.key !== 'Escape')) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', press);
    return () => {
      document.removeEventListener('keydown', press);
    };
  }, []);
}

/** Whether a key that is pressed there means a letter; an editor in a shadow is seen by what is in it. */
function takesText(target: EventTarget | undefined): boolean {
  if (
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  )
    return true;
  return target instanceof HTMLElement && target.isContentEditable;
}
