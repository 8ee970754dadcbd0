import { describe, expect, test } from 'vitest';
import { redactLine } from './run';

describe('redactLine', () => {
  test.each([
    ['rtmp://127.0.0.1:1935/live/abcd-1234: I/O error', 'rtmp://127.0.0.1:1935/[redacted] I/O error'],
    [
      "Opening 'rtmps://a.example/app/key?x=1' for writing",
      "Opening 'rtmps://a.example/[redacted]' for writing",
    ],
    ['SRT://a.example:9/?streamid=secret failed', 'SRT://a.example:9/[redacted] failed'],
  ])('redacts the path and query of RTMP(S) and SRT URLs: %s', (line, expectedLine) => {
    expect(redactLine(line, [])).toBe(expectedLine);
  });

  test('keeps a line without URLs and secrets', () => {
    const line = 'frame=  10 fps=30';
    expect(redactLine(line, [])).toBe(line);
  });

  test('redacts every occurrence of the secrets, and ignores empty secrets', () => {
    expect(redactLine('key=abcd, again abcd', ['abcd', ''])).toBe('key=[redacted], again [redacted]');
  });

  test('cuts a line to 300 characters', () => {
    expect(redactLine('x'.repeat(10_000), [])).toHaveLength(300);
  });
});
