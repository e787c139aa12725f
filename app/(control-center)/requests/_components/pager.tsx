'use client';

import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import type { RequestsQuery } from './query';

type Props = {
  order: 'newest' | 'oldest';
  previous: string | null;
  next: string | null;
  href: (patch: Partial<RequestsQuery>) => string;
  onGo: (patch: Partial<RequestsQuery>) => void;
};

/** To the neighbouring pages. */
export function Pager({ order, previous, next, href, onGo }: Props) {
  const [before, after] = order === 'newest' ? ['Newer', 'Older'] : ['Older', 'Newer'];
  const page = (patch: { cursor: string; back: boolean } | null) => {
    if (!patch) return { disabled: true };
    const onClick = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      onGo(patch);
    };
    return { component: 'a' as const, href: href(patch), onClick };
  };
  return (
    <nav aria-label="Pages">
      <Group justify="space-between" mt="sm">
        <Button
          variant="default"
          leftSection={<IconChevronLeft size={16} aria-hidden />}
          {...page(previous === null ? null : { cursor: previous, back: true })}
        >
          {before}
        </Button>
        <Button
          variant="default"
          rightSection={<IconChevronRight size={16} aria-hidden />}
          {...page(next === null ? null : { cursor: next, back: false })}
        >
          {after}
        </Button>
      </Group>
    </nav>
  );
}
