/** A description in its three kinds of sentences. */
export interface DescriptionParts {
  /** What the skill does. */
  readonly what: string;
  /** When to use it. */
  readonly when: string;
  /** What it is not for. These words lead to its neighbours, so that no search may find the skill by them. */
  readonly not: string;
}

// First words of a sentence, as descriptions are written in the eight languages that are stemmed.
const notFor =
  /^(?:not|never|no|don['’]?t|do not|does not|nicht|kein|keine|niemals|pas|ne|jamais|non|nunca|não|niet|geen|не|нельзя|不要|不用于|ではない)(?![\p{L}\p{N}])/iu;
const useFor =
  /^(?:use|used|choose|when|whenever|for|call|trigger|triggers|apply|load|nutze|nutzen|verwende|verwenden|für|bei|wenn|utiliser|utilisez|utilise|pour|quand|lorsque|usa|usar|use[sn]?|úsalo|cuando|para|usare|usalo|quando|gebruik|voor|wanneer|используй|используйте|использовать|применять|когда|для|使用|用于|当)(?![\p{L}\p{N}])/iu;

// A full stop inside a name or number (config.yaml, 1.5) ends no sentence; the ideographic one does without a blank.
const sentenceEnd = /(?<=[.!?;])\s+|(?<=[。！？；])/u;

/** Splits a description by the first words of its sentences; a sentence that is none of the others says what. */
export function splitDescription(description: string): DescriptionParts {
  const parts = { what: [] as string[], when: [] as string[], not: [] as string[] };
  for (const sentence of description.split(sentenceEnd)) {
    const text = sentence.trim();
    if (text !== '') parts[notFor.test(text) ? 'not' : useFor.test(text) ? 'when' : 'what'].push(text);
  }
  return { what: parts.what.join(' '), when: parts.when.join(' '), not: parts.not.join(' ') };
}
