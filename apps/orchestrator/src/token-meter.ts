import type { RequestTokens, TokenLedger } from '@skillgate/contracts/route';
import { type MeasuredRequest, measureRequest } from '@skillgate/prompt/ledger';
import type { Log } from '@skillgate/service-kit/log';
import type { Monolith } from './monolith.js';

export type SentRequest = Omit<MeasuredRequest, 'monolith'>;

const nothing: TokenLedger = { base: 0, catalog: 0, loaded: 0, tools: 0, conversation: 0, monolith: 0 };

/** Where the tokens of a turn's requests go. Each is counted while the model works on it, so that nobody waits for the count. */
export class TokenMeter {
  private waiting: SentRequest | undefined;
  private last = nothing;
  private firstConversation: number | undefined;

  constructor(private readonly log: Log) {}

  /** Counted as soon as this process has sent it and has nothing else to do. */
  sent(request: SentRequest): void {
    this.waiting = request;
    setImmediate(() => this.count());
  }

  /** Tokens of the last request as counted here. */
  get promptTokens(): number {
    const { base, catalog, loaded, tools, conversation } = this.parts;
    return base + catalog + loaded + tools + conversation;
  }

  /** Where they go. */
  get parts(): RequestTokens {
    this.count();
    const { monolith: _monolith, ...parts } = this.last;
    return parts;
  }

  /** Of the last request, the turn's largest, against what the first would have been without gates; that is 0 while unknown. */
  ledger(monolith: Monolith | null): TokenLedger {
    this.count();
    if (!monolith || this.firstConversation === undefined) return { ...this.last, monolith: 0 };
    return { ...this.last, monolith: this.last.base + monolith.bodiesTokens + monolith.allToolsTokens + this.firstConversation };
  }

  private count(): void {
    const request = this.waiting;
    if (!request) return;
    this.waiting = undefined;
    try {
      this.last = measureRequest({ ...request, monolith: { bodiesTokens: 0, allToolsTokens: 0 } });
      this.firstConversation ??= this.last.conversation;
    } catch (error) {
      this.log.warn({ err: error }, 'the tokens of a request could not be counted'); // a measure never fails a turn
    }
  }
}
