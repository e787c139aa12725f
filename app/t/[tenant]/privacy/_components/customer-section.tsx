import { Button, Text } from '@mantine/core';
import { Link } from '@/app/_components/link';
import { Part } from './part';

/** Leads to the page that hands out or erases the data of one customer. */
export function CustomerSection() {
  return (
    <Part title="Data of a customer">
      <Text size="sm">
        If a customer asks what is stored, or wants it erased: finds all data of one phone number or name, exports it,
        and erases it with a record of what was removed.
      </Text>
      <Button component={Link} href="/privacy/customer" variant="default" w="fit-content">
        Find data of a customer
      </Button>
    </Part>
  );
}
