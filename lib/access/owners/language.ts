import { pool } from '@/lib/platform/db';
import { bind, nullable, param, statement } from '@/lib/platform/sql';
import type { HourCycle, Language } from '@/lib/platform/text/languages';

type Choice = { userId: string; language: Language | null; hourCycle: HourCycle | null };

const CHOOSE = statement<never>()`
  UPDATE users SET language = ${nullable(param.text('language'))}, hour_cycle = ${nullable(param.text('hourCycle'))}
  WHERE id = ${param.text('userId')}`;

/** Stores the language and the clock that a person chose. Null leaves the choice to the browser, and the clock to the default. */
export async function chooseLanguage(choice: Choice): Promise<void> {
  await pool().query(bind(CHOOSE, choice));
}
