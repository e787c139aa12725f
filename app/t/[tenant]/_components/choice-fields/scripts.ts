'use client';

// Only `useChoiceScripts` imports this file, and loads it with the first interaction.
export { Autocomplete, MultiSelect, Select } from '@mantine/core';
