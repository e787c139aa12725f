import { useEffect, useRef, useState } from 'react';

/**
 * Prepares a menu whose script is loaded on demand. The menu replaces the button that loaded the script. When the menu
 * is mounted, its own button receives the focus, and the menu opens. Returns the ref for the menu's own button, and the
 * properties of the `Menu`.
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
