import { slugOf } from '@/lib/contract/docs/markdown';

/** Sections (`B7`, `4`) and anchors (`b7-booking`). */
type Targets = { sections: ReadonlySet<string>; anchors: ReadonlySet<string> };

export type Documents = { contract: Targets; architecture: Targets };

/** `line` is 1-based. */
export type Dangling = { line: number; reference: string };

/** Returns the sections and anchors of a document. `B7. Booking` has the section `B7` and the anchor `b7-booking`. */
export function targetsIn(markdown: string): Targets {
  const headings = [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => text);
  const sections = headings.flatMap((text) => /^(A|B\d+|\d+)\. /.exec(text)?.[1] ?? []);
  return { sections: new Set(sections), anchors: new Set(headings.map(slugOf)) };
}

/** Finds a reference that is split between two lines, and keeps the positions of the other characters. */
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
