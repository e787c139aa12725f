import { Anchor, Badge, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@/app/_components/link';
import { SHORT_TIME } from '../../../../../_components/time/moments';
import { Time } from '../../../../../_components/time/time';
import { requestHref } from '../../../../../requests/_components/query';
import { CRITERIA, type Score, STATES } from './words';

/** Each criterion with its evidence. `links`: whether the requests are in this deployment. */
export function Criteria({ readiness, links }: { readiness: Score; links: boolean }) {
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Criteria">
      {readiness.criteria.map((one) => {
        const { title, todo, failed } = CRITERIA[one.criterion];
        const { label, color } = STATES[one.state];
        return (
          <Group component="li" key={one.criterion} gap="sm" wrap="nowrap" align="flex-start">
            <Badge color={color} variant="light" tt="none" miw={72}>
              {label}
            </Badge>
            <div>
              <Text size="sm">{title}</Text>
              <Text size="xs" c="dimmed">
                {one.state === 'not_yet' && todo}
                {one.state === 'failed' && `${failed} `}
                {one.at !== null && <Time value={one.at} options={SHORT_TIME} />}
                {links && one.request_id !== null && (
                  <>
                    {' · '}
                    <Anchor component={Link} href={requestHref(one.request_id)} inherit underline="always">
                      View request
                      <VisuallyHidden>: {title}</VisuallyHidden>
                    </Anchor>
                  </>
                )}
              </Text>
            </div>
          </Group>
        );
      })}
    </Stack>
  );
}
