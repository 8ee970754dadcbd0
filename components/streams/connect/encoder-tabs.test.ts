import { describe, expect, it } from 'vitest';
import {
  createStreamCurl,
  fileCommand,
  listStreamsCurl,
  readStreamCurl,
  readStreamNode,
  testCardCommand,
} from './encoder-tabs';

const rtmp = 'rtmp://localhost:1935/live';

describe('commands for encoders', () => {
  it.each([testCardCommand, fileCommand])(
    'end in address and key, with a keyframe every 2 s at 30 fps',
    (command) => {
      const text = command(rtmp, 'abcd-ef12-3456-7890');
      expect(text.endsWith('-f flv rtmp://localhost:1935/live/abcd-ef12-3456-7890')).toBe(true);
      expect(text).toContain('-g 60');
    },
  );

  it('can be pasted into a shell: each line but the last ends in a backslash', () => {
    const lines = testCardCommand(rtmp, 'k').split('\n');
    expect(lines.slice(0, -1).every((line) => line.endsWith(' \\'))).toBe(true);
    expect(lines.at(-1)?.endsWith('\\')).toBe(false);
  });

  it('quotes an address with characters that a shell would read', () => {
    expect(testCardCommand('rtmp://h/live?a=1&b=2', "k'x")).toContain(`'rtmp://h/live?a=1&b=2/k'\\''x'`);
  });
});

describe('commands for developers', () => {
  it('name the stream and never a key', () => {
    for (const text of [readStreamCurl('http://h', 'id-1'), readStreamNode('http://h', 'id-1')]) {
      expect(text).toContain('http://h/api/stream/id-1');
      expect(text).toContain('HEADWATER_API_KEY');
    }
    expect(createStreamCurl('http://h')).toContain('curl -X POST http://h/api/stream');
  });
});

it('a call with a key stands for itself', () => {
  expect(listStreamsCurl('http://localhost:3000', 'lsk_a1')).toBe(
    "curl http://localhost:3000/api/stream \\\n  -H 'Authorization: Bearer lsk_a1'",
  );
});
