import { describe, expect, it } from '@jest/globals';
import type { Waiting } from '@skillgate/contracts/approval';
import { waitingText } from './waiting-text.js';

describe('the text of a call that waits', () => {
  it('shows arguments for what they are: control and direction characters are escaped, scripts and emoji are not', () => {
    const approval = { id: 'a', tool: 'slack_send_message', arguments: { to: '\u202e#lareneg', text: 'a\u0085\u200b\u007fb', name: 'Zoë 東京 👩🏽‍💻' } };
    const text = waitingText({ approvals: [approval], until: '2030-01-01T00:00:00Z' } as unknown as Waiting);
    expect(text).toContain('"to":"\\u202e#lareneg"');
    expect(text).toContain('"text":"a\\u0085\\u200b\\u007fb"');
    expect(text).toContain('Zoë 東京 👩🏽‍💻');
  });
});
