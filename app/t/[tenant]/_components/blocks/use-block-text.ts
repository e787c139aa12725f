'use client';

import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { blockText } from './block-text';

type Block = Parameters<typeof blockText>[1];

/** Returns the function that says when a block is. */
export function useBlockText(): (block: Block) => string {
  const t = useTranslations('common.blocks');
  const weekday = useTranslations('words.weekdaysShort');
  const format = useFormats();
  return (block) => blockText({ t, weekday, format }, block);
}
