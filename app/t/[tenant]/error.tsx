'use client';

import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { placeFocus } from './_components/dialogs/focus';

/**
 * Replaces a Control Center page after an error. The navigation keeps working. This page uses few components, because
 * every other page also loads the script of this page.
 */
export default function BrokenPage({ reset }: { reset: () => void }) {
  const t = useTranslations('common.broken');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => placeFocus(heading.current), []);
  return (
    <Stack align="flex-start">
      <Text ref={heading} component="h1" tabIndex={-1} fz={26} fw={650} m={0}>
        {t('title')}
      </Text>
      <Text>{t('text')}</Text>
      <Button onClick={reset}>{t('retry')}</Button>
    </Stack>
  );
}
