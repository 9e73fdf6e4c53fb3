import { describe, expect, it } from '@jest/globals';
import { splitRequest } from './request.js';

const prose = 'The garden lost twelve plants to frost in April, and the rest were covered with fleece.';

describe('parting a message into request and material', () => {
  it.each([
    ['a fenced block', `Sum up:\n\`\`\`\n${prose}\n\`\`\`\nThanks`, 'Sum up:\n\nThanks', prose],
    ['later paragraphs', `Sum up.\n\n${prose}\n\n${prose}`, 'Sum up.', `${prose}\n\n${prose}`],
    ['a request at the end', `# Journal\n\n${prose}\n\nSum this up, please.`, 'Sum this up, please.', `# Journal\n\n${prose}`],
    ['later lines', `Sum up\n${prose}`, 'Sum up', prose],
    ['what follows a colon', `Sum up: ${prose}`, 'Sum up', prose],
    ['nothing', 'Sum up the journal.', 'Sum up the journal.', ''],
  ])('takes %s for material', (_, message, request, pasted) => expect(splitRequest(message)).toEqual({ request, pasted }));
});
