import { useEffect, useRef, useState } from 'react';

/**
 * For a menu that is mounted in place of the button that loaded it: the menu takes over the focus and opens. Returns the
 * ref for the menu's own button, and the properties of the `Menu`.
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
