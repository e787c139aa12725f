'use client';

// Only `useChoiceScripts` imports this file, and only when the user first interacts with the page.
export { Autocomplete, MultiSelect, Select } from '@mantine/core';
