'use client';

import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { placeFocus } from './_components/dialogs/focus';

/**
 * Replaces a Control Center page after an error. The navigation keeps working. This page uses few components, because
 * every other page also loads the script of this page.
 */
export default function BrokenPage({ reset }: { reset: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => placeFocus(heading.current), []);
  return (
    <Stack align="flex-start">
      <Text ref={heading} component="h1" tabIndex={-1} fz={26} fw={650} m={0}>
        Something went wrong
      </Text>
      <Text>This page failed to load. Saved changes are not affected. Try again or reload the page.</Text>
      <Button onClick={reset}>Try again</Button>
    </Stack>
  );
}
