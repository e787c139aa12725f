'use client';

import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import type { ApplicationDetail, IssuedKey } from '../../../../_components/api-types';
import { useTRPC } from '../../../../_components/trpc';
import { Secret, ShownOnce } from '../../../_components/shown-once';

type Props = { issued: IssuedKey; applicationId: string; onClose: () => void };

/** Shows a new key once, with code snippets for developers. */
export function OneTimeKey({ issued, applicationId, onClose }: Props) {
  const t = useTranslations('applications.oneTimeKey');
  const trpc = useTRPC();
  const { data: application } = useQuery(trpc.applications.get.queryOptions({ application_id: applicationId }));
  return (
    <ShownOnce what="key" warning={t('warning')} onClose={onClose}>
      <Secret label={t('key', { name: issued.name })} text={issued.key} copy={t('copyKey')} first />
      <Secret label={t('env')} text={`API_KEY=${issued.key}`} copy={t('copyEnv')} />
      <Secret label={t('first')} text={curlOf(issued.key, application)} copy={t('copyCurl')}>
        {curlNote(t, application)}
      </Secret>
      <Text size="sm">
        {t.rich('docs', {
          docs: (text) => (
            <Anchor inherit underline="always" href="/docs" target="_blank">
              {text}
            </Anchor>
          ),
        })}
      </Text>
    </ShownOnce>
  );
}

function curlOf(key: string, application: ApplicationDetail | undefined): string {
  const lines = [`curl ${window.location.origin}/api/partner/v1/catalog`, `-H 'Authorization: Bearer ${key}'`];
  const origin = application?.origins[0];
  if (origin) lines.push(`-H 'Origin: ${origin}'`);
  return lines.join(' \\\n  ');
}

function curlNote(t: Translator<'applications.oneTimeKey'>, application: ApplicationDetail | undefined): string | null {
  if (!application) return null;
  if (application.suspended_at) return t('suspended');
  if (!application.scopes.includes('catalog.read')) return t('noCatalog');
  return application.networks.length > 0 ? t('networks') : null;
}
