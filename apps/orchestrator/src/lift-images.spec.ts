import { describe, expect, it } from '@jest/globals';
import { liftImages } from './lift-images.js';

const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(40)]).toString('base64');
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(40)]).toString('base64');
const artifact = `art_${'a'.repeat(32)}`;

describe('images in a result', () => {
  it.each<[string, unknown, unknown, (string | undefined)[]]>([
    ['a part as MCP has it', [{ type: 'text', text: 'Here' }, { type: 'image', data: png, mimeType: 'image/png' }], [{ type: 'text', text: 'Here' }, '[image 1]'], ['image/png']],
    ['a part that names a file', { image: { type: 'image', artifact } }, { image: '[image 1]' }, [undefined]],
    ['a data URL in a field', { chart: `data:image/png;base64,${png}` }, { chart: '[image 1]' }, ['image/png']],
    ['a data URL in a text', { html: `<img src="data:image/jpeg;base64,${jpeg}">` }, { html: '<img src="[image 1]">' }, ['image/jpeg']],
    ['what it says it is not, by its bytes', { type: 'image', data: jpeg, mimeType: 'image/png' }, '[image 1]', ['image/jpeg']],
    ['what is no image', { type: 'image', data: Buffer.from('<svg/>').toString('base64'), mimeType: 'image/svg+xml' }, '[an image that cannot be shown is left out]', []],
    ['nothing in a result without any', { type: 'image of a kind', note: 'an "image"' }, { type: 'image of a kind', note: 'an "image"' }, []],
  ])('are taken out: %s', (_, content, left, mimes) => {
    const lifted = liftImages(JSON.stringify(content));
    expect(JSON.parse(lifted.content)).toEqual(left);
    expect(lifted.images.map((image) => ('mime' in image ? image.mime : undefined))).toEqual(mimes);
    expect(lifted.content).not.toMatch(/base64/);
  });

  it('are taken out of Markdown too', () => {
    expect(liftImages(`A plot: ![p](data:image/png;base64,${png}) and text`)).toMatchObject({ content: 'A plot: ![p]([image 1]) and text', images: [{ mime: 'image/png' }] });
  });

  it('are at most eight', () => {
    const many = liftImages(JSON.stringify(Array.from({ length: 10 }, () => ({ type: 'image', data: png }))));
    expect(many.images).toHaveLength(8);
    expect(many.content).toContain('one more image is left out');
  });

  it('do not change a text that only speaks of them', () => {
    const text = '{ "see" : "data:image/png is a media type" }';
    expect(liftImages(text)).toEqual({ content: text, images: [] });
  });
});
