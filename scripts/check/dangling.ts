import { slugOf } from '@/lib/contract/docs/markdown';

/** The targets of references to a document: its sections (`B7`, `4`) and its anchors (`b7-booking`). */
type Targets = { sections: ReadonlySet<string>; anchors: ReadonlySet<string> };

/** The valid targets of references to the contract and to the architecture. */
export type Documents = { contract: Targets; architecture: Targets };

/** A reference whose target does not exist. `line` is 1-based. */
export type Dangling = { line: number; reference: string };

/**
 * Returns the sections and anchors of a Markdown document. The heading `B7. Booking` has the section `B7` and the
 * anchor `b7-booking`.
 */
export function targetsIn(markdown: string): Targets {
  const headings = [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => text);
  const sections = headings.flatMap((text) => /^(A|B\d+|\d+)\. /.exec(text)?.[1] ?? []);
  return { sections: new Set(sections), anchors: new Set(headings.map(slugOf)) };
}

/**
 * Replaces line breaks and comment markers with as many spaces, so that a reference such as `contract B7` is found even
 * if it is split between two lines. The positions of the other characters do not change.
 */
function joined(text: string): string {
  return text.replaceAll(/\n[ \t]*(?:\*|\/\/|--|#)?[ \t]*/g, (found) => ' '.repeat(found.length));
}

/** Returns the references in the text whose target does not exist in the document. */
export function danglingReferences(text: string, { contract, architecture }: Documents): Dangling[] {
  const plain = joined(text);
  const dangling: Dangling[] = [];
  const check = (pattern: RegExp, known: ReadonlySet<string>, format: (name: string) => string) => {
    for (const { 1: name = '', index } of plain.matchAll(pattern)) {
      if (known.has(name)) continue;
      const line = text.slice(0, index).split('\n').length;
      dangling.push({ line, reference: format(name) });
    }
  };
  // Matches `(B7)`, `[B7]`, `'B7'`, and the `B7` in `contract A, B7`, but not within a longer word.
  check(/(?<![\w#&;./+=-])(B\d{1,2})(?![\w/+=-])/g, contract.sections, (name) => `contract ${name}`);
  check(/\bcontract\s+([AC-Z]\d*)(?!\w)/gi, new Set([...contract.sections, 'a']), (name) => `contract ${name}`);
  check(/\barchitecture\s+(\d+)/gi, architecture.sections, (name) => `architecture ${name}`);
  check(/(?:docs\/contract|contract\.md)#([\w-]+)/g, contract.anchors, (name) => `/docs/contract#${name}`);
  check(/architecture\.md#([\w-]+)/g, architecture.anchors, (name) => `docs/architecture.md#${name}`);
  return dangling;
}
