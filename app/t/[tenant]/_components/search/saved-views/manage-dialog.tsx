'use client';

import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../dialogs/dialog';
import { Problem } from '../../forms/form-end';
import { useTRPC } from '../../trpc';
import type { Shown } from './view-href';

type Props = { views: readonly Shown[]; opened: boolean; onClose: () => void; onClosed: () => void };

function useChanges(onChanged: () => void) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () => {
    onChanged();
    return queries.invalidateQueries({ queryKey: trpc.views.pathKey() });
  };
  const rename = useMutation(trpc.views.rename.mutationOptions({ onSuccess }));
  const remove = useMutation(trpc.views.delete.mutationOptions({ onSuccess }));
  return { rename, remove };
}

/** A dialog in which the member renames and deletes saved views of a page. */
export function ManageDialog({ views, opened, onClose, onClosed }: Props) {
  const t = useTranslations('shell.views');
  const [renamed, setRenamed] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const { rename, remove } = useChanges(() => {
    setRenamed(null);
    // The button that had the focus no longer exists, so the list receives the focus.
    list.current?.focus();
  });
  const forget = () => {
    setRenamed(null);
    rename.reset();
    remove.reset();
    onClosed();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={t('manage')} returnFocus={false} onExitTransitionEnd={forget}>
      <Stack gap="sm" ref={list} tabIndex={-1} role="group" aria-label={t('list')} style={{ outline: 'none' }}>
        {views.length === 0 && <Text c="dimmed">{t('noneInList')}</Text>}
        {views.map((view) =>
          view.id === renamed ? (
            <NameForm
              key={view.id}
              view={view}
              error={rename.error}
              busy={rename.isPending}
              onRename={(name) => rename.mutate({ id: view.id, name })}
            />
          ) : (
            <Group key={view.id} justify="space-between" wrap="nowrap">
              <Text style={{ overflowWrap: 'anywhere' }}>{view.name}</Text>
              <Group gap="xs" wrap="nowrap">
                <Button
                  variant="default"
                  aria-label={t('renameNamed', { name: view.name })}
                  onClick={() => setRenamed(view.id)}
                >
                  {t('rename')}
                </Button>
                <Button
                  variant="default"
                  aria-label={t('deleteNamed', { name: view.name })}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate({ id: view.id })}
                >
                  {t('delete')}
                </Button>
              </Group>
            </Group>
          ),
        )}
        <Problem error={remove.error} />
      </Stack>
    </Dialog>
  );
}

type Failure = { message: string; data?: { fields?: { message: string }[] } | null } | null;
type FormProps = { view: Shown; error: Failure; busy: boolean; onRename: (name: string) => void };

function NameForm({ view, error, busy, onRename }: FormProps) {
  const t = useTranslations('shell.views');
  const tCommon = useTranslations('common');
  const [name, setName] = useState(view.name);
  const field = error?.data?.fields?.[0];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onRename(name);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-start" wrap="nowrap">
        <TextInput
          aria-label={t('newName', { name: view.name })}
          flex={1}
          maxLength={60}
          autoComplete="off"
          // This field replaces the button that the user has just pressed, so the field takes over the focus.
          autoFocus
          value={name}
          error={field ? tCommon('nameProblem', field) : error?.message}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={busy}>
          {t('saveName')}
        </Button>
      </Group>
    </form>
  );
}
