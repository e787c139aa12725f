import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { formatPrice } from '../../../catalog/_components/prices/money';
import { useCustomerNames } from '../display/customer-names';
import { dateText, longDateText, timesText } from '../display/format';
import type { BookingDay } from '../types';
import styles from './schedule-sheet.module.css';

type Day = Pick<BookingDay, 'date' | 'columns'>;

type Props = {
  location: string;
  timeZone: string;
  days: readonly Day[];
  /** The specialist whose bookings are printed; null for all. */
  specialistId?: string | null;
};

/** The bookings of one or several days as chronological tables for printing. Of contacts, they contain at most the names. */
export function ScheduleSheet({ location, timeZone, days, specialistId = null }: Props) {
  const format = useFormats();
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const columnsOf = ({ columns }: Day) =>
    columns.filter(({ specialist }) => specialistId === null || specialist.id === specialistId);
  const [column] = specialistId === null ? [] : columnsOf(first);
  const period =
    first === last
      ? longDateText(format, first.date)
      : `${dateText(format, first.date)} – ${dateText(format, last.date)}`;
  return (
    <section className={styles.sheet}>
      <h2>
        {location}
        {column && `, ${column.specialist.name}`}, {period} ({timeZone})
      </h2>
      {days.map((day) => (
        <DayTable key={day.date} date={day.date} isOnly={days.length === 1} lines={linesOf(columnsOf(day))} />
      ))}
    </section>
  );
}

const LABELS = ['time', 'specialist', 'service'] as const;
const MORE_LABELS = ['external', 'price', 'note', 'status'] as const;

type TableProps = { date: string; isOnly: boolean; lines: ReturnType<typeof linesOf> };

function DayTable({ date, isOnly, lines }: TableProps) {
  const t = useTranslations('bookings.sheet');
  const words = useTranslations('words.bookingStatus');
  const format = useFormats();
  const names = useCustomerNames();
  return (
    <>
      {!isOnly && <h3>{longDateText(format, date)}</h3>}
      {lines.length === 0 ? (
        <p>{t('none')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              {[...LABELS, ...(names.size > 0 ? ['customer' as const] : []), ...MORE_LABELS].map((label) => (
                <th key={label} scope="col">
                  {t(label)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ reference, time, specialist, service, external, price, hasNote, status }) => (
              <tr key={reference}>
                <td>{timesText(format, time)}</td>
                <td>{specialist}</td>
                <td>{service}</td>
                {names.size > 0 && <td>{names.get(reference)}</td>}
                <td>{external}</td>
                <td>{price && formatPrice(price.amount, price.currency, format.language)}</td>
                <td>{hasNote && t('note')}</td>
                <td>{words(status)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function linesOf(columns: BookingDay['columns']) {
  const lines = columns.flatMap(({ specialist, blocks }) =>
    blocks.flatMap(({ start_minute: start, start_time, end_time, service, bookings }) =>
      bookings.map(({ reference, status, external_reference: external, price, has_note: hasNote }) => ({
        start,
        reference,
        status,
        external,
        price,
        hasNote,
        time: { start_time, end_time },
        specialist: specialist.name,
        service: service.name,
      })),
    ),
  );
  return lines.sort((a, b) => a.start - b.start || a.specialist.localeCompare(b.specialist));
}
