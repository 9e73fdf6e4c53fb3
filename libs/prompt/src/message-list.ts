import type { ChatMessage, UserContent } from './chat-message.js';
import type { ModelEntry } from './models.js';

/**
 * The messages of a request as they grow. Many chat templates raise an error where user and assistant do not alternate, beginning with
 * the user; the models that take one system message alone are treated as the strictest of them.
 */
export class MessageList {
  readonly messages: ChatMessage[];
  private readonly alternates: boolean;

  constructor(prefix: string, { instructions }: ModelEntry) {
    this.messages = prefix === '' ? [] : [{ role: 'system', content: prefix }];
    this.alternates = instructions === 'tool-result';
  }

  push(message: ChatMessage): void {
    if (!this.alternates) this.messages.push(message);
    else if (message.role === 'user') this.user(message.content);
    else if (message.role === 'assistant') this.assistant(message);
    else this.messages.push(message);
  }

  /** A word of the house in mid-turn, at the user's authority: it rides in the last result where a message of its own would not alternate. */
  aside(text: string): void {
    const last = this.messages.at(-1);
    if (this.alternates && last?.role === 'tool') this.replaceLast({ ...last, content: `${last.content}\n\n${text}` });
    else this.push({ role: 'user', content: text });
  }

  /** Two in a row came in together, or nothing was sent between them: joined, nothing that was sent gets longer. */
  private user(content: UserContent): void {
    const last = this.messages.at(-1);
    if (last?.role === 'user') this.replaceLast({ role: 'user', content: joined(last.content, content) });
    else {
      if (last?.role === 'tool' && !isImages(content)) this.messages.push({ role: 'assistant', content: unanswered });
      this.messages.push({ role: 'user', content });
    }
  }

  private assistant(message: Extract<ChatMessage, { role: 'assistant' }>): void {
    const last = this.messages.at(-1);
    if (last === undefined || last.role === 'system') this.messages.push({ role: 'user', content: begun });
    if (last?.role === 'assistant' && !last.tool_calls && message.content !== null) {
      this.replaceLast({ ...message, content: [last.content, message.content].filter(Boolean).join('\n\n') });
    } else if (last?.role === 'assistant' && !last.tool_calls) this.replaceLast({ ...message, content: last.content });
    else this.messages.push(message);
  }

  private replaceLast(message: ChatMessage): void {
    this.messages[this.messages.length - 1] = message;
  }
}

const unanswered = '[No answer was given.]';
const begun = '[The assistant spoke first.]';

const isImages = (content: UserContent): boolean => typeof content !== 'string' && content.some(({ type }) => type === 'image_url');

export function joined(before: UserContent, content: UserContent): UserContent {
  if (typeof before === 'string' && typeof content === 'string') return `${before}\n\n${content}`;
  return [...partsOf(before), ...partsOf(content)];
}

const partsOf = (content: UserContent) => (typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content);
