import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitLinks } from './text-links';

const hrefsIn = (text: string) => splitLinks(text).flatMap(({ href }) => href ?? []);

test.each([
  ['see https://example.com/a.pdf.', ['https://example.com/a.pdf']],
  ['(http://example.com)', ['http://example.com']],
  ['https://en.wikipedia.org/wiki/Foo_(bar), and more', ['https://en.wikipedia.org/wiki/Foo_(bar)']],
  ['two: https://a.example and https://b.example!', ['https://a.example', 'https://b.example']],
  ['javascript:alert(1) data:text/html,x ftp://example.com', []],
  ['https:// is none', []],
])('splitLinks finds the links in %j', (text, matches) => {
  expect(hrefsIn(text)).toEqual(matches);
});

test('the parts together are the text, and every link is an HTTP or HTTPS URL', () => {
  const fragments = fc.constantFrom(
    'https://',
    'http://a.b',
    '(',
    ')',
    '.',
    ' ',
    '\n',
    '"',
    '<',
    'javascript:',
    'é',
    '[',
    ']',
  );
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('');
      expect(
        splitLinks(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
      for (const href of hrefsIn(text)) expect(new URL(href).protocol).toMatch(/^https?:$/);
    }),
  );
});
