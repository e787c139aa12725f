'use client';

import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { MouseEvent } from 'react';

type Step = { cursor: string; back: boolean };

type Props = {
  previous: string | null;
  next: string | null;
  href: (patch: Step) => string;
  onGo: (patch: Step) => void;
};

/** To the neighbouring pages of a list that goes on from a row. Nothing when there is one page only. */
export function KeysetPager({ previous, next, href, onGo }: Props) {
  if (previous === null && next === null) return null;
  const page = (step: Step | null) => {
    if (!step) return { disabled: true };
    const onClick = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      onGo(step);
    };
    return { component: 'a' as const, href: href(step), onClick };
  };
  return (
    <nav aria-label="Pages">
      <Group justify="space-between" mt="sm">
        <Button
          variant="default"
          leftSection={<IconChevronLeft size={16} aria-hidden />}
          {...page(previous === null ? null : { cursor: previous, back: true })}
        >
          Previous
        </Button>
        <Button
          variant="default"
          rightSection={<IconChevronRight size={16} aria-hidden />}
          {...page(next === null ? null : { cursor: next, back: false })}
        >
          Next
        </Button>
      </Group>
    </nav>
  );
}
