'use client';

// Only `useChoiceScripts` imports this file. It loads the file when the user first interacts with the page.
export { Autocomplete, MultiSelect, Select } from '@mantine/core';
