'use client';

import { Button } from '@mantine/core';
import { Link } from '@/app/_components/link';

/** Opens the page that imports existing bookings. */
export function ImportLink() {
  return (
    <Button component={Link} href="/bookings/import" variant="default">
      Import bookings
    </Button>
  );
}
