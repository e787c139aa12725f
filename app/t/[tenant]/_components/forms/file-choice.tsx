'use client';

import { Button, FileButton, Group, Stack } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { decodeUtf8 } from '@/lib/platform/text/utf8';
import { Problem } from './form-end';

type Props = { accept: string; maxMib: number; onText: (text: string) => void };

/** Reads a text file that the user selects. A file that is not UTF-8 or too large is refused. */
export function FileChoice({ accept, maxMib, onText }: Props) {
  const t = useTranslations('common.form');
  const [problem, setProblem] = useState<string | null>(null);
  const read = async (file: File | null) => {
    if (!file) return;
    setProblem(null);
    if (file.size > maxMib * 1024 * 1024) return setProblem(t('fileTooBig', { max: maxMib }));
    const decoded = decodeUtf8(new Uint8Array(await file.arrayBuffer()));
    if ('text' in decoded) onText(decoded.text);
    else setProblem(t('notUtf8', decoded));
  };
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <FileButton accept={accept} onChange={(file) => void read(file)}>
          {(props) => (
            <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} {...props}>
              {t('selectFile')}
            </Button>
          )}
        </FileButton>
        <Hint>{t('orPaste')}</Hint>
      </Group>
      <Problem error={problem} />
    </Stack>
  );
}
