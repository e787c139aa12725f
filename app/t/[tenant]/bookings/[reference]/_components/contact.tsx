'use client';

import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { Problem } from '../../../_components/forms/form-end';
import { CopyValue } from '../../../_components/id';
import { Fact, Facts } from '../../../_components/tables/facts';
import { ZonedTime } from '../../../_components/time/zoned-time';
import { useTRPC } from '../../../_components/trpc';
import type { BookingDetail } from '../../_components/types';

type Props = { booking: BookingDetail; canReveal: boolean };

/** The customer's masked contact details, which owners and the front desk can reveal. Revealed details are never cached. */
export function Contact({ booking, canReveal }: Props) {
  const t = useTranslations('bookings.booking.contact');
  const trpc = useTRPC();
  const reveal = useMutation(trpc.bookings.contact.mutationOptions({ gcTime: 0 }));
  const { customer } = booking;
  if (!customer) {
    return <Hint>{t('removed')}</Hint>;
  }
  const shown = reveal.data?.customer;
  const { consent_withdrawn_at: withdrawnAt } = booking.local;
  const version = booking.consent_text_version && t('textVersion', { version: booking.consent_text_version });
  const origin = [booking.consent_source, version].filter(Boolean).join(', ');
  return (
    <Stack gap="sm" align="flex-start">
      <Facts>
        <Fact name={t('name')}>
          {shown ? <Copied value={shown.name} copy={t('copyName')} /> : customer.name_masked}
        </Fact>
        <Fact name={t('phone')}>
          {shown ? (
            <Copied value={shown.phone} copy={t('copyPhone')} href={`tel:${shown.phone}`} />
          ) : (
            customer.phone_masked
          )}
        </Fact>
        {customer.email_masked && (
          <Fact name={t('email')}>
            {shown?.email ? (
              <Copied value={shown.email} copy={t('copyEmail')} href={`mailto:${shown.email}`} />
            ) : (
              customer.email_masked
            )}
          </Fact>
        )}
        {customer.locale && <Fact name={t('language')}>{customer.locale}</Fact>}
        {customer.has_note && (
          <Fact name={t('note')}>
            {shown?.note ? <span style={{ whiteSpace: 'pre-line' }}>{shown.note}</span> : <Hidden />}
          </Fact>
        )}
        {customer.has_metadata && (
          <Fact name={t('metadata')}>{shown?.metadata ? <Pairs of={shown.metadata} /> : <Hidden />}</Fact>
        )}
        <Fact name={t('consent')}>
          <ZonedTime value={booking.local.consent_at} timeZone={booking.time_zone} />
          {origin && <Hint size="xs">{origin}</Hint>}
        </Fact>
        {withdrawnAt && (
          <Fact name={t('withdrawn')}>
            <ZonedTime value={withdrawnAt} timeZone={booking.time_zone} />
          </Fact>
        )}
      </Facts>
      {booking.maybe_real_phone && (
        <Alert color="yellow" title={t('realPhone')}>
          {t('realPhoneHint')}
        </Alert>
      )}
      {withdrawnAt && <Hint>{t('withdrawnHint')}</Hint>}
      <Problem error={reveal.error} />
      {canReveal && !shown && (
        <Reveal busy={reveal.isPending} onReveal={() => reveal.mutate({ reference: booking.reference })} />
      )}
      {shown && (
        <Button variant="default" size="xs" onClick={() => reveal.reset()}>
          {t('hide')}
        </Button>
      )}
      {canReveal && <Consent booking={booking} />}
      {!canReveal && <Hint size="xs">{t('notAllowed')}</Hint>}
    </Stack>
  );
}

function Hidden() {
  const t = useTranslations('bookings.booking.contact');
  return (
    <Text span c="dimmed">
      {t('hidden')}
    </Text>
  );
}

function Pairs({ of: pairs }: { of: Record<string, string> }) {
  const t = useTranslations('bookings.booking.contact');
  return Object.entries(pairs).map(([name, value]) => (
    <div key={name} style={{ overflowWrap: 'anywhere' }}>
      <Text span c="dimmed" size="sm">
        {t('pair', { name })}
      </Text>{' '}
      {value}
    </div>
  ));
}

function Consent({ booking }: { booking: BookingDetail }) {
  const t = useTranslations('bookings.booking.contact');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const change = useMutation(
    trpc.bookings.set_consent_withdrawn.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.bookings.get.queryFilter({ reference: booking.reference })),
    }),
  );
  const withdrawn = booking.consent_withdrawn_at !== null;
  return (
    <>
      <Problem error={change.error} />
      <Button
        variant="default"
        size="xs"
        loading={change.isPending}
        onClick={() => change.mutate({ reference: booking.reference, withdrawn: !withdrawn })}
      >
        {t(withdrawn ? 'undoWithdrawal' : 'withdraw')}
      </Button>
    </>
  );
}

function Reveal({ busy, onReveal }: { busy: boolean; onReveal: () => void }) {
  const t = useTranslations('bookings.booking.contact');
  return (
    <Group gap="sm">
      <Button variant="default" size="xs" loading={busy} onClick={onReveal}>
        {t('show')}
      </Button>
      <Hint size="xs">{t('recorded')}</Hint>
    </Group>
  );
}

function Copied({ value, copy, href }: { value: string; copy: string; href?: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      {href ? (
        <Anchor href={href} size="sm">
          {value}
        </Anchor>
      ) : (
        <span>{value}</span>
      )}
      <CopyValue value={value} label={copy} />
    </Group>
  );
}
