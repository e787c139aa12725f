'use client';

import { Anchor, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { useHydrated } from '@/app/_components/use-hydrated';
import { Dialog } from '../dialogs/dialog';
import { NotLoaded } from '../states';
import { useTRPC } from '../trpc';
import type { BlockTimes } from './block-form';
import { useBlockText } from './block-text';
import type { BlockRecord, Subject } from './use-block-changes';

const BlockForm = dynamic(() => import('./block-form').then((module) => module.BlockForm), { ssr: false });

type Props = { subject: Subject; label: string; title?: string; canEdit: boolean };

/** The blocks of a specialist, a location, or the whole business that have not ended, and the button that adds one. */
export function BlockSection({ subject, label, title: given, canEdit }: Props) {
  const t = useTranslations('common.blocks');
  const title = given ?? t('title');
  const blockText = useBlockText();
  const trpc = useTRPC();
  const list = useQuery(trpc.blocks.list.queryOptions(subject));
  const [opened, { open, close }] = useDisclosure();
  const [block, setBlock] = useState<BlockRecord | null>(null);
  const isHydrated = useHydrated();
  const edit = (next: BlockRecord | null) => {
    setBlock(next);
    open();
  };
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        {canEdit && (
          <Button variant="default" size="xs" onClick={() => edit(null)}>
            {t('block')}
          </Button>
        )}
      </Group>
      {(list.isError || list.isPending) && <NotLoaded query={list} rows={2} height={24} />}
      {list.data?.blocks.length === 0 && <Hint>{t('none')}</Hint>}
      <List size="sm" spacing={4}>
        {list.data?.blocks.map((one) => (
          <List.Item key={one.id}>
            {canEdit ? (
              <Anchor component="button" type="button" size="sm" ta="left" onClick={() => edit(one)}>
                {blockText(one)}
              </Anchor>
            ) : (
              blockText(one)
            )}
            {one.reason !== null && `: ${one.reason}`}
          </List.Item>
        ))}
      </List>
      {list.data?.truncated && <Text size="sm">{t('limited')}</Text>}
      <Dialog opened={opened} onClose={close} title={block ? t('edit') : t('block')}>
        {isHydrated && (
          <BlockForm choices={[{ subject, label }]} block={block} times={block ?? tomorrow()} onClose={close} />
        )}
      </Dialog>
    </Stack>
  );
}

function tomorrow(): BlockTimes {
  const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  return { from: `${date}T09:00`, to: `${date}T10:00` };
}
