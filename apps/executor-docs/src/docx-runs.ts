import { ExternalHyperlink, type IRunOptions, type ParagraphChild, Tab, TextRun } from 'docx';
import type { PhrasingContent } from 'mdast';
import { splitByDirection } from './bidi.js';

/** What the nodes around a piece of text make of it. */
type Look = Pick<IRunOptions, 'bold' | 'italics' | 'strike' | 'style'>;

/** Inline Markdown, prepared, as Word runs. */
export function runsOf(nodes: readonly PhrasingContent[], look: Look = {}): ParagraphChild[] {
  return nodes.flatMap((node): ParagraphChild[] => {
    switch (node.type) {
      case 'text':
        return textRuns(node.value.replaceAll('\n', ' '), look); // a line end inside a paragraph is a blank
      case 'strong':
        return runsOf(node.children, { ...look, bold: true });
      case 'emphasis':
        return runsOf(node.children, { ...look, italics: true });
      case 'delete':
        return runsOf(node.children, { ...look, strike: true });
      case 'inlineCode':
        return textRuns(node.value, { ...look, style: 'CodeText' });
      case 'break':
        return [new TextRun({ break: 1 })];
      case 'link':
        return [new ExternalHyperlink({ link: node.url, children: runsOf(node.children, { ...look, style: 'Hyperlink' }) })];
      default:
        throw new Error(`no Word run for the Markdown node "${node.type}"`);
    }
  });
}

/** Text with its tabs; in blocks of code also with its line ends. */
export function textRuns(text: string, look: Look = {}): TextRun[] {
  return text.split('\n').flatMap((line, index) => {
    const runs = splitByDirection(line).map(
      (part) => new TextRun({ ...look, ...direction(part.rightToLeft), children: withTabs(part.text) }),
    );
    return index === 0 ? runs : [new TextRun({ break: 1 }), ...runs];
  });
}

const direction = (rightToLeft: boolean) => (rightToLeft ? { rightToLeft } : {});

const withTabs = (text: string): (string | Tab)[] => text.split('\t').flatMap((part, index) => (index === 0 ? [part] : [new Tab(), part]));
