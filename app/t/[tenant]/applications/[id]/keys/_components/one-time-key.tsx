'use client';

import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApplicationDetail, IssuedKey } from '../../../../_components/api-types';
import { useTRPC } from '../../../../_components/trpc';
import { Secret, ShownOnce } from '../../../_components/shown-once';

type Props = { issued: IssuedKey; applicationId: string; onClose: () => void };

/** Shows a new key once, with code snippets for developers. */
export function OneTimeKey({ issued, applicationId, onClose }: Props) {
  const trpc = useTRPC();
  const { data: application } = useQuery(trpc.applications.get.queryOptions({ application_id: applicationId }));
  return (
    <ShownOnce
      what="key"
      warning="This key is shown only once. Your partner must keep it in a secret store, never in browser code."
      onClose={onClose}
    >
      <Secret label={`Key “${issued.name}”`} text={issued.key} copy="Copy key" first />
      <Secret label="Line for an .env file" text={`API_KEY=${issued.key}`} copy="Copy .env line" />
      <Secret label="First request" text={curlOf(issued.key, application)} copy="Copy curl command">
        {curlNote(application)}
      </Secret>
      <Text size="sm">
        Send your partner the link to the{' '}
        <Anchor inherit underline="always" href="/docs" target="_blank">
          API documentation
        </Anchor>
        , too.
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

function curlNote(application: ApplicationDetail | undefined): string | null {
  if (!application) return null;
  if (application.suspended_at)
    return 'The application is suspended, so this request gets a 403 response until you resume the application.';
  if (!application.scopes.includes('catalog.read')) {
    return 'This application cannot read the catalog, so this request gets a 403 response (insufficient_scope) even though the key is valid.';
  }
  return application.networks.length > 0 ? 'Only requests from the allowed networks succeed.' : null;
}
