import { useEffect, useRef, useState } from 'react';

/**
 * Returns the ref for the button and the properties of a `Menu` whose script is loaded on demand. A click on a
 * placeholder button loads the script, and the menu replaces the placeholder. The menu therefore opens as soon as it is
 * mounted, and moves the focus to its own button.
 */
export function useLoadedMenu() {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    button.current?.focus();
    setOpened(true);
  }, []);
  const menu = {
    opened,
    onChange: setOpened,
    position: 'bottom-end',
    withInitialFocusPlaceholder: false,
    withinPortal: false,
  } as const;
  return { button, menu };
}
