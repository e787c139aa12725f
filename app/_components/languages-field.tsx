'use client';

import { Pill, TagsInput, type TagsInputProps } from '@mantine/core';
import { LANGUAGE_TAGS, languageLabel, matchingLanguages, tagOf } from './languages';

type Props = Pick<TagsInputProps, 'description' | 'error' | 'required' | 'onFocus' | 'onBlur'> & {
  value: string[];
  onChange: (locales: string[]) => void;
  /** Languages that cannot be removed. */
  fixed?: readonly string[];
};

/** A field for the languages of a business, by name. The first one is the default. */
export function LanguagesField({ value, onChange, fixed = [], ...props }: Props) {
  return (
    <TagsInput
      {...props}
      label="Languages"
      maxTags={50}
      maxDropdownHeight={240}
      acceptValueOnBlur
      data={LANGUAGE_TAGS}
      value={value}
      filter={({ search, limit }) =>
        matchingLanguages(search)
          .filter((tag) => !value.includes(tag))
          .slice(0, limit)
          .map((tag) => ({ value: tag, label: tag }))
      }
      renderOption={({ option }) => languageLabel(option.value)}
      // Backspace removes the last language, even a fixed one.
      onChange={(next) => onChange([...new Set([...fixed, ...next.map(tagOf)])])}
      renderPill={({ value: tag, onRemove }) => (
        <Pill
          withRemoveButton={!fixed.includes(tag ?? '')}
          onRemove={onRemove}
          removeButtonProps={{ 'aria-label': `Remove ${languageLabel(tag ?? '')}`, 'aria-hidden': false }}
        >
          {languageLabel(tag ?? '')}
        </Pill>
      )}
    />
  );
}
