'use client';

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChecks } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

const Visits = dynamic(() =>
  import('./complete-visits-dialog').then(({ CompleteVisitsDialog }) => CompleteVisitsDialog),
);

/** The button that completes the visits of a day. Its dialog is loaded on demand. */
export function CompleteVisits({ locationId }: { locationId: string | null }) {
  const t = useTranslations('bookings.visits');
  const [opened, { open, close }] = useDisclosure();
  const [wasOpened, setWasOpened] = useState(false);
  const start = () => {
    setWasOpened(true);
    open();
  };
  return (
    <>
      <Button
        variant="default"
        px={{ base: 'xs', sm: 'md' }}
        leftSection={<IconChecks size={16} aria-hidden />}
        onClick={start}
      >
        {t('title')}
      </Button>
      {wasOpened && <Visits opened={opened} locationId={locationId} onClose={close} />}
    </>
  );
}
