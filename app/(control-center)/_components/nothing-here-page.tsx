'use client';

import dynamic from 'next/dynamic';

/** Shows `NothingHere`, whose script would otherwise be part of every page. */
export const NothingHerePage = dynamic(() => import('./nothing-here').then((module) => module.NothingHere));
