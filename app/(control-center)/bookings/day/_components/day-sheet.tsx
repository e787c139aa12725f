import styles from '../../_components/calendar/calendar.module.css';
import { formatLongDate, STATUS_NAMES } from '../../_components/format';
import type { BookingDay } from '../../_components/types';

/** The day as a table in chronological order, for printing. It contains no contacts. */
export function DaySheet({ day }: { day: BookingDay }) {
  const lines = linesOf(day);
  return (
    <section className={styles.sheet}>
      <h2>
        {day.location.name}, {formatLongDate(day.date)} ({day.time_zone})
      </h2>
      <table>
        <thead>
          <tr>
            {['Time', 'Specialist', 'Service', 'External reference', 'Status'].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ reference, time, specialist, service, external, status }) => (
            <tr key={reference}>
              <td>{time}</td>
              <td>{specialist}</td>
              <td>{service}</td>
              <td>{external}</td>
              <td>{STATUS_NAMES[status]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length === 0 && <p>No bookings on this day.</p>}
    </section>
  );
}

/** Returns one line per booking, ordered by start time, then by specialist. */
function linesOf({ columns }: Pick<BookingDay, 'columns'>) {
  const lines = columns.flatMap(({ specialist, blocks }) =>
    blocks.flatMap(({ start_minute: start, start_time, end_time, service, guests }) =>
      guests.map(({ reference, status, external_reference: external }) => ({
        start,
        reference,
        status,
        external,
        time: `${start_time}–${end_time}`,
        specialist: specialist.name,
        service: service.name,
      })),
    ),
  );
  return lines.sort((a, b) => a.start - b.start || a.specialist.localeCompare(b.specialist));
}
