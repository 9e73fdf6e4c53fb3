/** A text as headings with what stands under them. */
export interface Document {
  title: string;
  sections: Section[];
}

export interface Section {
  /** '' for what stands before the first heading. */
  heading: string;
  /** 1 to 6; 0 without a heading. */
  level: number;
  blocks: Block[];
}

export interface Block {
  kind: 'paragraph' | 'item' | 'speech' | 'table' | 'code';
  /** Readable text; for a table its column names, for code nothing. */
  text: string;
  /** Body rows of a table, lines of code. */
  size?: number;
  /** A box of a task list that is not ticked. */
  open?: boolean;
}
