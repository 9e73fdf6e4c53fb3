/**
 * The one cleaner of text that goes into a file. XML 1.0 (section 2.2) has no way to write most control characters,
 * so an Office file that holds one downloads well and never opens.
 */
export interface CleanText {
  text: string;
  /** What was changed or looks wrong, in words for the model. */
  notes: string[];
}

/**
 * LaTeX commands that JSON turns into control characters when their backslash is single: `\frac` arrives as a form
 * feed and `rac`. By the letter of the JSON escape, with the rests that are commands and no ordinary words.
 */
const latexRests = {
  f: /^(rac|orall|lat|ootnote|box|lushleft)(?![a-z])/,
  b: /^(eta|egin|ar|inom|oldsymbol|ullet|ig|igg|mod|ecause|ot|oxed|reve)(?![a-z])/,
  t: /^(heta|imes|ext|extbf|extit|au|o|an|anh|frac|ilde|riangle|op)(?![a-z])/,
  n: /^(abla|eq|otin|eg|exists|ewline|cong)(?![a-z])/,
  r: /^(ho|ightarrow|ight|angle|ceil|floor|m)(?![a-z])/,
};

// the C0 controls that XML cannot hold, and the two non-characters that it excludes; tab, LF and CR are legal
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const loneSurrogate = /\p{Surrogate}/gu; // in `u` mode a proper pair is one code point, so this finds halves alone

/** Makes `text` writable into XML and tells what it did. Characters that are legal stay as they are. */
export function cleanText(text: string): CleanText {
  const notes = new Set<string>();
  let restored = 0;
  let removed = 0;
  let halves = 0;

  const lineEnds = restoreLatex(text, notes, () => restored++).replace(/\r\n?/g, '\n');
  const written = lineEnds
    .replace(illegal, (found) => {
      removed += 1;
      return found === '\u000b' || found === '\u000c' ? '\n' : ''; // vertical tab and form feed break lines
    })
    .replace(loneSurrogate, () => {
      halves += 1;
      return '\ufffd';
    });

  if (restored > 0) {
    notes.add(
      `${restored} control character(s) stood where a LaTeX command such as \\frac or \\beta was meant; the backslash was put back. ` +
        'In JSON write a backslash as two: "\\\\frac".',
    );
  }
  if (removed > 0) notes.add(`${removed} control character(s) that have no place in a document were taken out.`);
  if (halves > 0)
    notes.add(`${halves} broken character(s) (half of a surrogate pair) were replaced by \ufffd. Send emoji and rare characters whole.`);
  return { text: written, notes: [...notes] };
}

/** Form feed and backspace are never meant, so `\frac` and `\beta` come back; a tab or line end might be, so it is only told. */
function restoreLatex(text: string, notes: Set<string>, count: () => void): string {
  return text.replace(/[\f\b\t\n\r](?=[a-z])/g, (found: string, at: number) => {
    const letter = { '\f': 'f', '\b': 'b', '\t': 't', '\n': 'n', '\r': 'r' }[found] as keyof typeof latexRests;
    const rest = latexRests[letter].exec(text.slice(at + 1, at + 20))?.[0];
    if (!rest) return found;
    if (letter === 'f' || letter === 'b') {
      count();
      return `\\${letter}`;
    }
    if (looksLikeMath(text, at)) {
      notes.add(
        `"${rest}" after a tab or line end is perhaps \\${letter}${rest} with its backslash lost. ` +
          `If so, write "\\\\${letter}${rest}" and make the file again.`,
      );
    }
    return found;
  });
}

/** Short words such as "to" follow line ends in any prose; inside an open formula they do not. */
function looksLikeMath(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at);
  const dollars = before.split('$').length - 1;
  return dollars % 2 === 1 || /\\[a-z(\[]/i.test(before.slice(-60));
}
