'use client';

import { Menu, ScrollArea } from '@mantine/core';
import { IconCheck, IconPencil, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from '@/app/_components/link';
import { useLoadedMenu } from '../use-loaded-menu';
import { ManageDialog } from './manage-dialog';
import { SaveDialog } from './save-dialog';
import { type Shown, viewHref } from './view-href';
import { ViewsButton } from './views-button';

/** A page's saved views, the view that is shown, and the query string with the current filters. */
export type ViewsListProps = {
  page: 'requests' | 'bookings';
  views: readonly Shown[];
  shown: Shown | undefined;
  search: string;
};

/** The menu of saved views, with its dialogs. Its script is loaded on demand (see `useLoadedMenu`). */
export function ViewsList({ page, views, shown, search }: ViewsListProps) {
  const { button, menu } = useLoadedMenu();
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  const close = () => setDialog(null);
  // Focuses the menu's button, because Mantine would return the focus to a menu item that no longer exists.
  const focusButton = () => button.current?.focus();
  return (
    <>
      <Menu {...menu} width={260}>
        <Menu.Target>
          <ViewsButton ref={button} name={shown?.name} />
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
            Save current filters
          </Menu.Item>
          {views.length > 0 && (
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog('manage')}>
              Rename or delete views
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <SaveDialog page={page} search={search} opened={dialog === 'save'} onClose={close} onClosed={focusButton} />
      <ManageDialog views={views} opened={dialog === 'manage'} onClose={close} onClosed={focusButton} />
    </>
  );
}

type ItemsProps = { views: readonly Shown[]; page: ViewsListProps['page']; shown: Shown | undefined };

function ViewItems({ views, page, shown }: ItemsProps) {
  if (views.length === 0) return <Menu.Label>No saved views</Menu.Label>;
  return views.map((view) => (
    <Menu.Item
      key={view.id}
      component={Link}
      href={viewHref(page, view)}
      rightSection={view.id === shown?.id && <IconCheck size={16} aria-label="Current" />}
      style={{ overflowWrap: 'anywhere' }}
    >
      {view.name}
    </Menu.Item>
  ));
}
