'use client';

import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { useTRPC } from '../trpc';
import { searchOf, viewHref } from './view-href';
import { ViewsButton } from './views-button';
import type { ViewsListProps } from './views-list';

const loadList = () => import('./views-list');

type Props = { page: 'requests' | 'bookings'; href: string };

/**
 * The member's saved views of a page. The menu's script is loaded when the member first points to the menu or opens the
 * menu.
 * @param props.href The URL of the page with its current filters, without a cursor.
 */
export function ViewsMenu({ page, href }: Props) {
  const trpc = useTRPC();
  const views = useQuery(trpc.views.list.queryOptions({ page }, { staleTime: 60_000 })).data ?? [];
  const [List, setList] = useState<ComponentType<ViewsListProps> | null>(null);
  const search = searchOf(href);
  const shown = views.find((view) => searchOf(viewHref(page, view)) === search);
  if (List) return <List page={page} views={views} shown={shown} search={search} />;
  const open = () => loadList().then((module) => setList(() => module.ViewsList));
  return (
    <ViewsButton
      name={shown?.name}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void loadList()}
      onClick={() => void open()}
    />
  );
}
