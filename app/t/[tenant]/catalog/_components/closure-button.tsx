'use client';

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendarOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../_components/dialogs/dialog';
import { ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';

const ClosureForm = dynamic(() => import('./closure-form').then((module) => module.ClosureForm), { ssr: false });

/** The button that closes several locations on the same dates, for example on a holiday. */
export function ClosureButton() {
  const t = useTranslations('catalog.closure');
  const [opened, { open, close }] = useDisclosure();
  const trpc = useTRPC();
  const choices = useQuery({ ...trpc.catalog.choices.queryOptions(), enabled: opened });
  return (
    <>
      <Button variant="default" leftSection={<IconCalendarOff size={16} aria-hidden />} onClick={open}>
        {t('title')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('title')} size="lg">
        {choices.isError ? (
          <ErrorState error={choices.error} retry={() => void choices.refetch()} />
        ) : choices.data ? (
          <ClosureForm locations={choices.data.locations} onClose={close} />
        ) : (
          <LoadingRows rows={4} />
        )}
      </Dialog>
    </>
  );
}
