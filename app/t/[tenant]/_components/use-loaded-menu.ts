import { useEffect, useRef, useState } from 'react';

/**
 * Returns the ref for the button of a menu, and the properties of the `Menu`. A placeholder button loads the script of
 * such a menu on demand. The menu then replaces the placeholder, so it focuses its own button and opens when it is
 * mounted.
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
