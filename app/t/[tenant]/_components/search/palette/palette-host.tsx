'use client';

import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useTenantHref } from '@/app/_components/tenant';
import { requestCaller } from '../../../bookings/_components/list/caller-request';
import type { Viewer } from '../../roles';
import { leaveBy } from '../../shell/leave-guard';
import type { Who } from '../../shell/who';
import type { Item } from './items';
import { type Action, PAUSE, readPress } from './shortcuts';

/** Elements in which the user types text or chooses an option with the keyboard. */
const TYPING = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="menu"]';

function useShortcuts(role: Viewer, act: (action: Action) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    let pressedG = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null;
      if (event.defaultPrevented || isTyping || document.querySelector('[role="dialog"]')) return;
      const { action, startsPair } = readPress(event, event.timeStamp - pressedG < PAUSE, role);
      pressedG = startsPair ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (!action) return;
      event.preventDefault();
      latest.current(action);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [role]);
}

// These are needed only after the page is shown, so they are not part of its first scripts.
const Palette = dynamic(() => import('./palette').then((module) => module.Palette), { ssr: false });
const ShortcutList = dynamic(() => import('./shortcut-list').then((module) => module.ShortcutList), { ssr: false });

type Opened = 'palette' | 'list' | null;

/** The command palette, the button that opens it, and the keyboard shortcuts of every page. */
export function PaletteHost({ who }: { who: Who }) {
  const { viewer: role } = who;
  const router = useRouter();
  const hrefOf = useTenantHref();
  const [opened, setOpened] = useState<Opened>(null);
  const t = useTranslations('shell.shortcuts');
  const mod = useOs() === 'macos' ? '⌘' : t('control');
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
  const t = useTranslations('shell.palette');
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
        {t('search')}
      </Button>
      <ActionIcon hiddenFrom="sm" variant="subtle" color="gray" size="lg" aria-label={t('search')} onClick={onClick}>
        {icon}
      </ActionIcon>
    </>
  );
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main search input, main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}
