import { useEffect, useRef, useState } from 'react';

/**
 * Opens a `Menu` as soon as it is mounted, and focuses the menu's button. The menu replaces a placeholder button, which
 * loads the menu's script when it is clicked. Returns the ref for the menu's button and the properties of the `Menu`.
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
