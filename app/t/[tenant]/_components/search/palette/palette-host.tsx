'use client';

import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTenantHref } from '@/app/_components/tenant';
import { requestCaller } from '../../../bookings/_components/caller-request';
import { leaveBy } from '../../shell/leave-guard';
import type { Who } from '../../shell/who';
import type { Item } from './items';
import type { Action } from './shortcuts';
import { useShortcuts } from './use-shortcuts';

// These are needed only after the page is shown, so they are not part of its first scripts.
const Palette = dynamic(() => import('./palette').then((module) => module.Palette), { ssr: false });
const ShortcutList = dynamic(() => import('./shortcut-list').then((module) => module.ShortcutList), { ssr: false });

type Opened = 'palette' | 'list' | null;

/** The command palette, the button that opens it, and the keyboard shortcuts of every page. */
export function PaletteHost({ who }: { who: Who }) {
  const { role } = who;
  const router = useRouter();
  const hrefOf = useTenantHref();
  const [opened, setOpened] = useState<Opened>(null);
  const mod = useOs() === 'macos' ? '⌘' : 'Ctrl';
  const close = () => setOpened(null);
  const go = (href: string) => leaveBy(() => router.push(hrefOf(href)));
  const choose = ({ href, phone, tenant }: Item) => {
    if (tenant) return leaveBy(() => window.location.assign(href));
    if (phone) leaveBy(() => requestCaller(phone, () => router.push(hrefOf(href))));
    else go(href);
  };
  useShortcuts(role, (action: Action) => {
    if (action.kind === 'page') return go(action.href);
    if (action.kind === 'search') return focusSearch() || setOpened('palette');
    setOpened(action.kind);
  });
  return (
    <>
      <OpenButton mod={mod} onClick={() => setOpened('palette')} />
      <Palette who={who} opened={opened === 'palette'} onClose={close} go={choose} />
      <ShortcutList role={role} mod={mod} opened={opened === 'list'} onClose={close} />
    </>
  );
}

function OpenButton({ mod, onClick }: { mod: string; onClick: () => void }) {
  const icon = <IconSearch size={16} aria-hidden />;
  return (
    <>
      <Button
        visibleFrom="sm"
        variant="default"
        size="xs"
        fw={400}
        leftSection={icon}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {mod} K
          </Kbd>
        }
        onClick={onClick}
      >
        Search
      </Button>
      <ActionIcon hiddenFrom="sm" variant="subtle" color="gray" size="lg" aria-label="Search" onClick={onClick}>
        {icon}
      </ActionIcon>
    </>
  );
}

/** Focuses the page's search field. Returns false if the page has no search field. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main search input, main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}
