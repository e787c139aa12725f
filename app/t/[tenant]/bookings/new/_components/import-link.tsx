'use client';

import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';

/** Opens the page that imports existing bookings. */
export function ImportLink() {
  const t = useTranslations('bookings.import');
  return (
    <Button component={Link} href="/bookings/import" variant="default">
      {t('title')}
    </Button>
  );
}
