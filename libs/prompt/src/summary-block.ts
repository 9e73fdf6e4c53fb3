// Of what was quoted nothing may end the summary early or pass for another block of ours.
const ourMarks = /<(?=\/?(?:summary|loaded_skills|available_skills|skill|tools|facts|notice)\b)/gi;

/** What a model reads in place of the earlier part of a chat. */
export const summaryBlock = (text: string): string => `<summary>\n${text.replace(ourMarks, '&lt;')}\n</summary>`;
