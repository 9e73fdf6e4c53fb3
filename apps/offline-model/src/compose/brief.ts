/** A composed page, before it is written down in some format. */
export interface Brief {
  title: string;
  parts: Part[];
  /** The strongest statement, for the answer in the chat. */
  lead: string;
  /** Headings that were wanted and for which the material holds nothing. */
  leftOut: string[];
  /** Headings that ask for a judgement, which a machine that only quotes and counts does not give. */
  unjudged: string[];
  words: number;
}

export interface Part {
  heading: string;
  /** Sentences of one paragraph, or the items of a list. */
  lines: string[];
  list: boolean;
}
