'use client';

import { Pill, TagsInput, type TagsInputProps } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useFormats } from './language';
import { LANGUAGE_TAGS, languageLabel, matchingLanguages, tagOf } from './languages';

type Props = Pick<TagsInputProps, 'description' | 'error' | 'required' | 'readOnly' | 'onFocus' | 'onBlur'> & {
  value: string[];
  onChange: (locales: string[]) => void;
  /** Languages that cannot be removed. */
  fixed?: readonly string[];
};

/** A field for the languages of a business, by name. The first one is the default. */
export function LanguagesField({ value, onChange, fixed = [], ...props }: Props) {
  const t = useTranslations('common.languages');
  const format = useFormats();
  return (
    <TagsInput
      {...props}
      label={t('label')}
      maxTags={50}
      maxDropdownHeight={240}
      acceptValueOnBlur
      data={LANGUAGE_TAGS}
      value={value}
      filter={({ search, limit }) =>
        matchingLanguages(format, search)
          .filter((tag) => !value.includes(tag))
          .slice(0, limit)
          .map((tag) => ({ value: tag, label: tag }))
      }
      renderOption={({ option }) => languageLabel(format, option.value)}
      // Backspace removes the last language, even a fixed one.
      onChange={(next) => onChange([...new Set([...fixed, ...next.map((text) => tagOf(format, text))])])}
      renderPill={({ value: tag, onRemove }) => (
        <Pill
          withRemoveButton={!fixed.includes(tag ?? '')}
          onRemove={onRemove}
          removeButtonProps={{
            'aria-label': t('remove', { language: languageLabel(format, tag ?? '') }),
            'aria-hidden': false,
          }}
        >
          {languageLabel(format, tag ?? '')}
        </Pill>
      )}
    />
  );
}
