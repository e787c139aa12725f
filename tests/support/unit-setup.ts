import { beginFile } from './fresh-process';

beginFile({});
