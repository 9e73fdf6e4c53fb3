export type Json = Record<string, unknown>;
export type Ask = (method: string, args: Record<string, unknown>, token: string) => Promise<Json>;

type Args = Record<string, string>;
interface Channel {
  id: string;
  name: string;
  is_private: boolean;
  is_member?: boolean;
}
interface Message {
  ts: string;
  user: string;
  text: string;
  thread_ts?: string;
}
interface Canvas {
  title: string;
  channel?: string;
  sections: { id: string; text: string }[];
}

/** What a method needs, for those that the emulator does not know. Source: docs.slack.dev/reference/methods. */
const needed: Readonly<Record<string, string>> = {
  'search.messages': 'search:read',
  'canvases.create': 'canvases:write',
  'canvases.edit': 'canvases:write',
  'canvases.getContent': 'canvases:read',
  'canvases.sections.lookup': 'canvases:read',
};

/**
 * Methods that the emulator lacks, with state, in the shapes that Slack publishes: search, canvases, and the direct messages
 * of a person with themselves. All else goes to the emulator.
 */
export class SlackExtras {
  private readonly canvases = new Map<string, Canvas>();
  private readonly notes = new Map<string, Message[]>();
  private made = 0;

  constructor(private readonly ask: Ask) {}

  async perform(method: string, args: Args, token: string, scopes: readonly string[]): Promise<Json> {
    const scope = needed[method];
    if (scope && !scopes.includes(scope)) return { ok: false, error: 'missing_scope', needed: scope, provided: scopes.join(',') };
    switch (method) {
      case 'search.messages':
        return this.search(args, token);
      case 'canvases.create':
        return this.createCanvas(args);
      case 'canvases.getContent':
        return this.onCanvas(args, ({ title, sections }) => ({
          content: [`# ${title}`, ...sections.map(({ text }) => text)].join('\n\n'),
        }));
      case 'canvases.sections.lookup':
        return this.onCanvas(args, ({ sections }) => {
          const { contains_text = '' } = JSON.parse(args.criteria ?? '{}') as { contains_text?: string };
          return { sections: sections.filter(({ text }) => text.includes(contains_text)).map(({ id }) => ({ id })) };
        });
      case 'canvases.edit':
        return this.onCanvas(args, (canvas) => this.edit(canvas, args));
      case 'conversations.open':
        return (await this.ownMessages(args, token)) ?? this.ask(method, args, token);
      case 'chat.postMessage':
        return this.note(args) ?? this.ask(method, args, token);
      case 'conversations.history':
        return this.notes.has(args.channel ?? '')
          ? { ok: true, messages: this.notes.get(args.channel!), has_more: false }
          : this.ask(method, args, token);
      default:
        return this.ask(method, args, token);
    }
  }

  /** By the words and `in:` of the query, newest first; a page has `count` matches. */
  private async search({ query = '', count = '20', page = '1' }: Args, token: string): Promise<Json> {
    const place = /(?:^|\s)in:#?(\S+)/.exec(query)?.[1];
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word && !/^\w+:/.test(word));
    const { channels = [] } = (await this.ask('conversations.list', { types: 'public_channel,private_channel', limit: 900 }, token)) as {
      channels?: Channel[];
    };
    const matches: Json[] = [];
    for (const channel of channels.filter(({ name }) => !place || name === place)) {
      const { messages = [] } = (await this.ask('conversations.history', { channel: channel.id, limit: 900 }, token)) as {
        messages?: Message[];
      };
      for (const { ts, user, text } of messages.filter((each) => words.every((word) => each.text.toLowerCase().includes(word)))) {
        const where = {
          id: channel.id,
          name: channel.name,
          is_private: channel.is_private,
          is_ext_shared: false,
          is_mpim: false,
          is_shared: false,
          pending_shared: [],
        };
        const permalink = `https://emulate.slack.com/archives/${channel.id}/p${ts.replace('.', '')}`;
        matches.push({
          iid: `iid-${ts}`,
          team: 'T000000001',
          channel: where,
          type: 'message',
          user,
          username: 'somebody',
          ts,
          text,
          permalink,
        });
      }
    }
    matches.sort((one, other) => Number(other.ts) - Number(one.ts));
    const [size, at] = [Number(count), Number(page)];
    const pages = Math.ceil(matches.length / size);
    const shown = matches.slice((at - 1) * size, at * size);
    return {
      ok: true,
      query,
      messages: { total: matches.length, matches: shown, paging: { count: size, total: matches.length, page: at, pages } },
    };
  }

  private createCanvas({ title = '', document_content = '{}', channel_id }: Args): Json {
    const id = `F${String(++this.made).padStart(9, '0')}`;
    const { markdown = '' } = JSON.parse(document_content) as { markdown?: string };
    this.canvases.set(id, { title, sections: this.sectionsOf(markdown), ...(channel_id && { channel: channel_id }) });
    return { ok: true, canvas_id: id };
  }

  private onCanvas({ canvas_id = '' }: Args, work: (canvas: Canvas) => Json): Json {
    const canvas = this.canvases.get(canvas_id);
    return canvas ? { ok: true, ...work(canvas) } : { ok: false, error: 'canvas_not_found' };
  }

  private edit({ sections }: Canvas, { changes = '[]' }: Args): Json {
    type Change = { operation: string; section_id?: string; document_content?: { markdown: string } };
    const all = JSON.parse(changes) as Change[];
    const [change] = all;
    if (!change || all.length > 1) return { ok: false, error: 'invalid_arguments' }; // one a call, says Slack
    const { operation, section_id, document_content } = change;
    const put = this.sectionsOf(document_content?.markdown ?? '');
    const at = sections.findIndex(({ id }) => id === section_id);
    if (['insert_after', 'insert_before', 'replace', 'delete'].includes(operation) && at < 0)
      return { ok: false, error: 'canvas_editing_failed' };
    if (operation === 'insert_at_start') sections.unshift(...put);
    if (operation === 'insert_at_end') sections.push(...put);
    if (operation === 'insert_after') sections.splice(at + 1, 0, ...put);
    if (operation === 'insert_before') sections.splice(at, 0, ...put);
    if (operation === 'replace') sections.splice(at, 1, ...put);
    if (operation === 'delete') sections.splice(at, 1);
    return {};
  }

  private sectionsOf = (markdown: string) =>
    markdown
      .split(/\n{2,}/)
      .filter((text) => text.trim() !== '')
      .map((text) => ({ id: `temp:C:${String(++this.made).padStart(28, '0')}`, text }));

  private async ownMessages({ users }: Args, token: string): Promise<Json | undefined> {
    const { user_id } = (await this.ask('auth.test', {}, token)) as { user_id?: string };
    if (!users || users !== user_id) return undefined;
    const id = `DSELF${users.slice(-5)}`;
    if (!this.notes.has(id)) this.notes.set(id, []);
    return { ok: true, channel: { id } };
  }

  private note({ channel = '', text = '' }: Args): Json | undefined {
    const notes = this.notes.get(channel);
    if (!notes) return undefined;
    const ts = `${Math.floor(Date.now() / 1000)}.${String(++this.made).padStart(6, '0')}`;
    notes.unshift({ ts, user: 'self', text });
    return { ok: true, channel, ts, message: { ts, text } };
  }
}
