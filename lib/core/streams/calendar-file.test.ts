import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCalendarFile } from './calendar-file';

const entry = {
  uid: 'abcd1234efgh5678@example.com',
  title: 'Concert; with choir, brass',
  description: 'Entry from 16:30\nBring a friend',
  url: 'https://example.com/watch/abcd1234efgh5678',
  startsAt: Date.UTC(2026, 11, 20, 17, 0, 0, 123),
  createdAt: Date.UTC(2026, 10, 27, 9, 30),
};

test('an entry has its start in UTC, and escaped separators and line breaks', () => {
  const lines = createCalendarFile(entry).split('\r\n');
  expect(lines).toContain('DTSTART:20261220T170000Z');
  expect(lines).toContain('DTSTAMP:20261127T093000Z');
  expect(lines).toContain(String.raw`SUMMARY:Concert\; with choir\, brass`);
  expect(lines).toContain(String.raw`DESCRIPTION:Entry from 16:30\nBring a friend`);
});

test('any text is folded to lines of at most 75 octets, and adds no property', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (title) => {
      const file = createCalendarFile({ ...entry, title, description: null });
      const lines = file.split('\r\n');
      for (const line of lines) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
      const unfoldedLines = file.replaceAll('\r\n ', '').trimEnd().split('\r\n');
      expect(unfoldedLines.map((line) => line.split(/[:;]/)[0])).toEqual([
        'BEGIN',
        'VERSION',
        'PRODID',
        'BEGIN',
        'UID',
        'DTSTAMP',
        'DTSTART',
        'DURATION',
        'SUMMARY',
        'URL',
        'END',
        'END',
      ]);
      const summary = unfoldedLines.find((line) => line.startsWith('SUMMARY:'))?.slice(8) ?? '';
      const unescapedSummary = summary.replaceAll(/\\([\\;,n])/g, (_, character: string) =>
        character === 'n' ? '\n' : character,
      );
      expect(unescapedSummary).toBe(title.replaceAll(/\r\n|\r|\n/g, '\n').replaceAll(/(?!\n)\p{Cc}/gu, ' '));
    }),
  );
});
