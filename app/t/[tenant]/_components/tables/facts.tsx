import type { ReactNode } from 'react';
import styles from './facts.module.css';

type Props = {
  /** Whether names and values remain side by side on a narrow screen. Set this if all names are short. */
  dense?: boolean;
  children: ReactNode;
};

/** A description list. Its children are `Fact` elements. */
export function Facts({ dense = false, children }: Props) {
  return (
    <dl className={styles.facts} data-dense={dense || undefined}>
      {children}
    </dl>
  );
}

/** One term of a description list with its value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
