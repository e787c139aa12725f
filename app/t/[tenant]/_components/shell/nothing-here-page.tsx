'use client';

import dynamic from 'next/dynamic';

/** Loads `NothingHere` on demand. Otherwise, its script would be part of every page. */
export const NothingHerePage = dynamic(() => import('./nothing-here').then((module) => module.NothingHere));
