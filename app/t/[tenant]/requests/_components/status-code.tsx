import styles from './requests.module.css';

function toneOf(status: number): 'ok' | 'client' | 'server' {
  if (status < 400) return 'ok';
  return status < 500 ? 'client' : 'server';
}

/** A status code with a colored dot. */
export function StatusCode({ status }: { status: number }) {
  return (
    <span className={styles.status}>
      <span className={`${styles.dot} ${styles[toneOf(status)]}`} aria-hidden />
      {status}
    </span>
  );
}
