import styles from './requests.module.css';

/** The colour of a status: success, the caller's mistake, ours. */
function toneOf(status: number): 'ok' | 'client' | 'server' {
  if (status < 400) return 'ok';
  return status < 500 ? 'client' : 'server';
}

/** A status as its number, with a dot in the colour of its class. */
export function StatusCode({ status }: { status: number }) {
  return (
    <span className={styles.status}>
      <span className={`${styles.dot} ${styles[toneOf(status)]}`} aria-hidden />
      {status}
    </span>
  );
}
