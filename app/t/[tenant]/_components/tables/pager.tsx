'use client';

import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { HEADER_HEIGHT } from '../shell/header-height';

type Props<Patch> = {
  previous: Patch | null;
  next: Patch | null;
  labels?: readonly [previous: string, next: string];
  /** Whether the element before the pager gets the focus when the page is turned. */
  focusesList?: boolean;
  summary?: string;
  href: (patch: Patch) => string;
  go: (patch: Patch) => void;
};

/** Links to the previous and the next page of a list. Renders nothing if there is only one page and no `summary`. */
export function Pager<Patch>({ previous, next, labels, focusesList = false, summary, href, go }: Props<Patch>) {
  const t = useTranslations('common.pager');
  const isSingle = previous === null && next === null;
  if (isSingle && summary === undefined) return null;
  const link = (patch: Patch | null) => {
    if (patch === null) return { disabled: true };
    const onClick = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      go(patch);
      const list = event.currentTarget.closest('nav')?.previousElementSibling;
      if (focusesList && list instanceof HTMLElement) list.focus();
      // The header covers the top of the viewport. Because of `scroll-padding`, `scrollIntoView` places the list below
      // the header.
      if (list && list.getBoundingClientRect().top < HEADER_HEIGHT) list.scrollIntoView({ block: 'start' });
    };
    return { component: 'a' as const, href: href(patch), onClick };
  };
  return (
    <Group component="nav" aria-label={t('label')} justify="space-between" mt="sm">
      <Hint role="status">{summary}</Hint>
      {!isSingle && (
        <Group gap="xs">
          <Button variant="default" leftSection={<IconChevronLeft size={16} aria-hidden />} {...link(previous)}>
            {labels?.[0] ?? t('previous')}
          </Button>
          <Button variant="default" rightSection={<IconChevronRight size={16} aria-hidden />} {...link(next)}>
            {labels?.[1] ?? t('next')}
          </Button>
        </Group>
      )}
    </Group>
  );
}

type Keyset = { previous: string | null; next: string | null };

/** Returns, for a list with cursors, the changes to the URL state for the links to the previous and the next page. */
export function keysetPages({ previous, next }: Keyset) {
  const page = (cursor: string | null, back: boolean) => (cursor === null ? null : { cursor, back });
  return { previous: page(previous, true), next: page(next, false) };
}

type Turn = { cursor: string | null; back: boolean };
type KeysetProps = Keyset & Omit<Props<Turn>, keyof Keyset | 'focusesList' | 'summary'>;

/** Links to the previous and the next page of a list with cursors, which gets the focus. */
export function KeysetPager({ previous, next, ...props }: KeysetProps) {
  return <Pager {...keysetPages({ previous, next })} focusesList {...props} />;
}

/** Returns the neighbors of a page. If `page` is past the end of the list, the previous page is the last page. */
export function numberedPages(page: number, total: number, size: number) {
  const last = Math.max(1, Math.ceil(total / size));
  return {
    last,
    previous: page > 1 ? { page: Math.min(page - 1, last) } : null,
    next: page < last ? { page: page + 1 } : null,
  };
}

type NumberedProps = {
  page: number;
  total: number;
  size: number;
  count: string;
  href: (patch: { page: number }) => string;
  go: (patch: { page: number }) => void;
};

/** Links to the previous and the next page of a list with page numbers, which state the shown range. */
export function NumberedPager({ page, total, size, count, href, go }: NumberedProps) {
  const t = useTranslations('common.pager');
  const { last, previous, next } = numberedPages(page, total, size);
  const range = { from: (page - 1) * size + 1, to: Math.min(page * size, total), total };
  const summary = last === 1 || page > last ? count : t('range', range);
  return <Pager previous={previous} next={next} summary={summary} href={href} go={go} />;
}
