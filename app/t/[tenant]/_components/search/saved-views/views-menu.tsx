'use client';

import { Button, Menu, ScrollArea, Text } from '@mantine/core';
import { IconBookmark, IconCheck, IconChevronDown, IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import { useTRPC } from '../../trpc';
import { ManageDialog } from './manage-dialog';
import { SaveDialog } from './save-dialog';
import { type Shown, searchOf, viewHref } from './view-href';

type Props = { page: 'requests' | 'bookings'; href: string };

/**
 * The member's saved views of a page, with their dialogs.
 * @param props.href The URL of the page with its current filters, without a cursor.
 */
export function ViewsMenu({ page, href }: Props) {
  const t = useTranslations('shell.views');
  const trpc = useTRPC();
  const views = useQuery(trpc.views.list.queryOptions({ page }, { staleTime: 60_000 })).data ?? [];
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const search = searchOf(href);
  const shown = views.find((view) => searchOf(viewHref(page, view)) === search);
  const close = () => setDialog(null);
  // Focuses the menu's button, because Mantine would return the focus to a menu item that no longer exists.
  const focusButton = () => button.current?.focus();
  return (
    <>
      <Menu width={260} position="bottom-end" withInitialFocusPlaceholder={false} withinPortal={false}>
        <Menu.Target>
          <Button
            ref={button}
            variant="default"
            px={{ base: 'xs', sm: 'md' }}
            leftSection={<IconBookmark size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            <Text span inherit maw={180} truncate>
              {shown ? t('shown', { name: shown.name }) : t('menu')}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {/* Only the views scroll, so that the actions below them stay visible. */}
          <ScrollArea.Autosize mah="min(20rem, 40vh)" type="auto">
            <ViewItems views={views} page={page} shown={shown} />
          </ScrollArea.Autosize>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={search === '' || shown !== undefined}
            onClick={() => setDialog('save')}
          >
            {t('save')}
          </Menu.Item>
          {views.length > 0 && (
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog('manage')}>
              {t('manage')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <SaveDialog page={page} search={search} opened={dialog === 'save'} onClose={close} onClosed={focusButton} />
      <ManageDialog views={views} opened={dialog === 'manage'} onClose={close} onClosed={focusButton} />
    </>
  );
}

type ItemsProps = { views: readonly Shown[]; page: Props['page']; shown: Shown | undefined };

function ViewItems({ views, page, shown }: ItemsProps) {
  const t = useTranslations('shell.views');
  const tCommon = useTranslations('common');
  if (views.length === 0) return <Menu.Label>{t('none')}</Menu.Label>;
  return views.map((view) => (
    <Menu.Item
      key={view.id}
      component={Link}
      href={viewHref(page, view)}
      rightSection={view.id === shown?.id && <IconCheck size={16} aria-label={tCommon('current')} />}
      style={{ overflowWrap: 'anywhere' }}
    >
      {view.name}
    </Menu.Item>
  ));
}
