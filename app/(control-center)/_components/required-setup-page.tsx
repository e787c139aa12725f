'use client';

import dynamic from 'next/dynamic';

/** Shows `RequiredSetup`, whose script only members load who lack a second factor. */
export const RequiredSetupPage = dynamic(() => import('./required-setup').then((module) => module.RequiredSetup));
