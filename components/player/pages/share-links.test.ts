import { expect, it } from 'vitest';
import { embedCode, watchUrl } from './share-links';

it('the watch URL and the embed code contain the playback id; the frame is 16:9 and allows full screen', () => {
  expect(watchUrl('https://live.example', 'abcd1234abcd1234')).toBe(
    'https://live.example/watch/abcd1234abcd1234',
  );
  const code = embedCode('https://live.example', 'abcd1234abcd1234', 'Town hall');
  expect(code).toContain('src="https://live.example/embed/abcd1234abcd1234"');
  expect(code).toContain('aspect-ratio: 16 / 9');
  expect(code).toContain('allowfullscreen');
});

it('quotes in a title do not end the title attribute of the embed code', () => {
  expect(embedCode('https://live.example', 'abcd1234abcd1234', 'A "B" <i>&')).toContain(
    'title="A &quot;B&quot; &lt;i>&amp;"',
  );
});

it('a link has the start position and the encoded token', () => {
  const options = { startAt: 90.7, token: 'a+b&c' };
  expect(watchUrl('https://live.example', 'abcd1234abcd1234', options)).toBe(
    'https://live.example/watch/abcd1234abcd1234?t=90&token=a%2Bb%26c',
  );
  expect(embedCode('https://live.example', 'abcd1234abcd1234', 'Town hall', options)).toContain(
    'src="https://live.example/embed/abcd1234abcd1234?t=90&amp;token=a%2Bb%26c"',
  );
});
