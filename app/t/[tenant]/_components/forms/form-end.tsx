'use client';

import { Alert, Button, Group, List, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import styles from './form-end.module.css';

/** Shows the error of a failed action. Renders nothing if there is none. */
export function Problem({ error }: { error: { message: string } | string | null | undefined }) {
  if (!error) return null;
  return (
    <Alert color="red" role="alert">
      {typeof error === 'string' ? error : error.message}
    </Alert>
  );
}

type Props = {
  verb: string;
  busy: boolean;
  danger?: boolean;
  disabled?: boolean;
  cancel?: string;
  /** The HTML id of a warning that describes the action. */
  describedBy?: string;
  onCancel: () => void;
  onGo?: () => void;
};

/**
 * The Cancel button and the action button of a dialog. The action button calls `onGo`, or submits the form if `onGo` is
 * not set. When the dialog opens, Cancel has the focus, unless a field before it has the attribute `data-autofocus`.
 */
export function FormEnd(props: Props) {
  const { verb, busy, danger = false, disabled = false, cancel, describedBy, onCancel, onGo } = props;
  const t = useTranslations('common.form');
  return (
    <Group justify="flex-end" className={styles.end}>
      <Button variant="default" onClick={onCancel} data-autofocus>
        {cancel ?? t('cancel')}
      </Button>
      <Button
        type={onGo ? 'button' : 'submit'}
        color={danger ? 'red.9' : undefined}
        loading={busy}
        disabled={disabled}
        aria-describedby={describedBy}
        onClick={onGo}
      >
        {verb}
      </Button>
    </Group>
  );
}

type PointsProps = {
  of?: 'changes' | 'stays' | 'happens';
  /** The title. Default: that of `of`. */
  title?: string;
  points: readonly string[];
};

/** An action's effects, as a list with a title. */
export function Points({ of = 'happens', title, points }: PointsProps) {
  const t = useTranslations('common.points');
  return (
    <>
      <Text size="sm" fw={600}>
        {title ?? t(of)}
      </Text>
      <List size="sm" spacing={4}>
        {points.map((point) => (
          <List.Item key={point}>{point}</List.Item>
        ))}
      </List>
    </>
  );
}
