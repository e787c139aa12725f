import { Anchor, Badge, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import { SHORT_TIME } from '../../../../../_components/time/moments';
import { Time } from '../../../../../_components/time/time';
import { requestHref } from '../../../../../requests/_components/query';
import { COLORS, type Score } from './words';

/** Each criterion with its evidence. `links`: whether the requests are in this deployment. */
export function Criteria({ readiness, links }: { readiness: Score; links: boolean }) {
  const t = useTranslations('applications.readiness');
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('criteria')}>
      {readiness.criteria.map((one) => (
        <Group component="li" key={one.criterion} gap="sm" wrap="nowrap" align="flex-start">
          <Badge color={COLORS[one.state]} variant="light" tt="none" miw={72} flex="none">
            {t(one.state)}
          </Badge>
          <div>
            <Text size="sm">{t(`criterion.${one.criterion}.title`)}</Text>
            <Text size="xs" c="dimmed">
              {one.state === 'not_yet' && t(`criterion.${one.criterion}.todo`)}
              {one.state === 'failed' && `${t(`criterion.${one.criterion}.failed`)} `}
              {one.at !== null && <Time value={one.at} options={SHORT_TIME} />}
              {links && one.request_id !== null && (
                <>
                  {' · '}
                  <Anchor component={Link} href={requestHref(one.request_id)} inherit underline="always">
                    {t('viewRequest')}
                    <VisuallyHidden>: {t(`criterion.${one.criterion}.title`)}</VisuallyHidden>
                  </Anchor>
                </>
              )}
            </Text>
          </div>
        </Group>
      ))}
    </Stack>
  );
}
