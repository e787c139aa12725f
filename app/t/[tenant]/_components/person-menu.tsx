'use client';

import { type ComponentType, useState } from 'react';
import { PersonButton } from './person-button';
import type { Who } from './who';

const loadMenu = () => import('./person-menu-list');

/**
 * The signed-in user's menu. Its script is loaded when the pointer first enters the menu's button, or when the user
 * clicks the button.
 */
export function PersonMenu({ who }: { who: Who }) {
  const [Menu, setMenu] = useState<ComponentType<{ who: Who }> | null>(null);
  if (Menu) return <Menu who={who} />;
  const open = () => loadMenu().then((module) => setMenu(() => module.PersonMenuList));
  return (
    <PersonButton
      name={who.name}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void loadMenu()}
      onClick={() => void open()}
    />
  );
}
