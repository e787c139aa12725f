'use client';

import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from 'next/navigation';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import { useUndo } from '../../../_components/use-undo';
import { useWords } from '../words';
import { nextPriceParts } from './next-price-text';

/** States the price that the service of the page gets on a later date. Owners can remove it. Otherwise, renders nothing. */
export function NextPriceNotice({ canEdit }: { canEdit: boolean }) {
  const { t, format } = useWords();
  const trpc = useTRPC();
  const done = useDone(trpc.catalog);
  const showDone = useUndo();
  const { id } = useParams<{ id: string }>();
  const found = useQuery(trpc.catalog.services.next_price.queryOptions({ id }));
  const remove = useMutation(
    trpc.catalog.bulk.unschedule_prices.mutationOptions({
      onSuccess: ({ undo }) => {
        showDone(t('nextPrice.removed'), undo);
        return done();
      },
    }),
  );
  const next = found.data?.next_price;
  if (!next) return null;
  return (
    <Alert color="blue" role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{t('nextPrice.notice', nextPriceParts(format, next))}</Text>
        {canEdit && (
          <Button
            variant="default"
            size="compact-sm"
            loading={remove.isPending}
            onClick={() => remove.mutate({ ids: [id] })}
          >
            {t('nextPrice.remove')}
          </Button>
        )}
      </Group>
      {remove.error && (
        <Text size="sm" role="alert">
          {remove.error.message}
        </Text>
      )}
    </Alert>
  );
}
