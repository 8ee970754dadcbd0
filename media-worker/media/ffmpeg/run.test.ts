import { expect, test } from 'vitest';
import { redactLine } from './run';

test.each([
  ['rtmp://127.0.0.1:1935/live/abcd-1234: I/O error', 'rtmp://127.0.0.1:1935/[redacted] I/O error'],
  [
    "Opening 'rtmps://a.example/app/key?x=1' for writing",
    "Opening 'rtmps://a.example/[redacted]' for writing",
  ],
  ['SRT://a.example:9/?streamid=secret failed', 'SRT://a.example:9/[redacted] failed'],
  ['frame=  10 fps=30', 'frame=  10 fps=30'],
])('redactLine removes the path of RTMP and SRT URLs: %s', (line, expectedLine) => {
  expect(redactLine(line, [])).toBe(expectedLine);
});

test('redactLine removes every occurrence of the secrets, and ignores empty ones', () => {
  expect(redactLine('key=abcd, again abcd', ['abcd', ''])).toBe('key=[redacted], again [redacted]');
});

test('redactLine limits the length of a line', () => {
  expect(redactLine('x'.repeat(10_000), [])).toHaveLength(300);
});
