const fenced = /^(```|~~~)[^\n]*\n[^]*?^\1/gm;

/** The text with its fenced blocks made blank; offsets and lines stay. */
export const withoutFences = (text: string): string => text.replace(fenced, (block) => block.replace(/[^\n]/g, ' '));
