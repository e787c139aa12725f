'use client';

import { Pill, PillsInput } from '@mantine/core';
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react';
import type { FieldProps } from './plain-fields';

type Props = FieldProps & {
  value: string[];
  /** The tags that cannot be removed. */
  fixed: readonly string[];
  onChange: (value: string[]) => void;
  maxTags: number;
};

/**
 * A field for a list of tags. The typed text becomes a tag when the user types Enter or a comma, or leaves the field.
 * Mantine's `TagsInput` is not used, because it would also load the script for a list of suggestions.
 */
export function TagsField({ value, fixed, onChange, maxTags, ...props }: Props) {
  const [text, setText] = useState('');
  const add = (given: string) => {
    const tags = [...value];
    for (const tag of given.split(',').map((part) => part.trim())) {
      const isKnown = tags.some((one) => one.toLowerCase() === tag.toLowerCase());
      if (tag !== '' && !isKnown && tags.length < maxTags) tags.push(tag);
    }
    setText('');
    if (tags.length > value.length) onChange(tags);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const last = value.at(-1);
    if ((event.key === 'Enter' || event.key === ',') && text.trim() !== '') {
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && text === '' && last !== undefined && !fixed.includes(last)) {
      onChange(value.slice(0, -1));
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (!pasted.includes(',')) return;
    event.preventDefault();
    add(`${text}${pasted}`);
  };
  return (
    <PillsInput {...props}>
      <Pill.Group>
        {value.map((tag) => (
          <Pill
            key={tag}
            withRemoveButton={!fixed.includes(tag)}
            onRemove={() => onChange(value.filter((one) => one !== tag))}
            removeButtonProps={{ 'aria-label': `Remove ${tag}`, 'aria-hidden': false }}
          >
            {tag}
          </Pill>
        ))}
        <PillsInput.Field
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => add(text)}
        />
      </Pill.Group>
    </PillsInput>
  );
}
