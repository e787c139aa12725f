import { useEffect, useRef, useState } from 'react';

/**
 * Returns the ref for a menu's button and the properties of the `Menu`. For a menu whose script is loaded on demand: a
 * click on a placeholder button loads the script and replaces the placeholder by the menu. The menu therefore opens as
 * soon as it is mounted, and moves the focus to its own button.
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
