'use client';

import { type ComponentType, useState } from 'react';
import { TenantButton } from './tenant-button';
import type { Who } from './who';

const loadMenu = () => import('./tenant-menu-list');

/**
 * The button that opens the menu of the user's businesses. The script of the menu is loaded when the pointer first
 * enters the button, or when the user clicks the button.
 */
export function TenantSwitch({ who }: { who: Who }) {
  const [Menu, setMenu] = useState<ComponentType<{ who: Who }> | null>(null);
  if (Menu) return <Menu who={who} />;
  const open = () => loadMenu().then((module) => setMenu(() => module.TenantMenuList));
  return (
    <TenantButton
      name={who.tenantName}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void loadMenu()}
      onClick={() => void open()}
    />
  );
}
