import { describe, expect, it } from 'vitest';
import {
  fileCommand,
  gstreamerCommand,
  gstreamerSrtCommand,
  isLoopbackUrl,
  larixLink,
  larixSrtLink,
  testPatternCommand,
} from './encoder-commands';

const rtmp = 'rtmp://localhost:1935/live';

describe('commands for encoders', () => {
  it.each([testPatternCommand, fileCommand])(
    'end with the URL and the key, and set a keyframe every 2 s at 30 fps',
    (command) => {
      const text = command(rtmp, 'abcd-ef12-3456-7890');
      expect(text.endsWith('-f flv rtmp://localhost:1935/live/abcd-ef12-3456-7890')).toBe(true);
      expect(text).toContain('-g 60');
    },
  );

  it('can be pasted into a shell: each line but the last ends in a backslash', () => {
    const commands = [
      testPatternCommand(rtmp, 'k'),
      gstreamerCommand(rtmp, 'k'),
      gstreamerSrtCommand('srt://h:1?a=b'),
    ];
    for (const command of commands) {
      const lines = command.split('\n');
      expect(lines.slice(0, -1).every((line) => line.endsWith(' \\'))).toBe(true);
      expect(lines.at(-1)?.endsWith('\\')).toBe(false);
    }
  });

  it('quote a URL with shell characters', () => {
    expect(testPatternCommand('rtmp://h/live?a=1&b=2', "k'x")).toContain(`'rtmp://h/live?a=1&b=2/k'\\''x'`);
  });
});

describe('link for the app on a phone', () => {
  const valuesOf = (link: string) => [...new URLSearchParams(link.slice(link.indexOf('?') + 1))];

  it('has the URL, the key and a name with any characters', () => {
    const link = larixLink('rtmp://h:1935/live', 'k&1', 'Choir & band #2');
    expect(link.startsWith('larix://set/v1?conn[][url]=rtmp%3A%2F%2Fh%3A1935%2Flive%2Fk%261&')).toBe(true);
    expect(valuesOf(link)).toEqual([
      ['conn[][url]', 'rtmp://h:1935/live/k&1'],
      ['conn[][name]', 'Choir & band #2'],
      ['conn[][overwrite]', 'on'],
    ]);
  });

  it('has stream id and passphrase in separate fields over SRT', () => {
    const target = { srtUrl: 'srt://h:9000', streamKey: 'k', name: 'x' };
    expect(valuesOf(larixSrtLink({ ...target, passphrase: 'a-secret-phrase' }))).toEqual([
      ['conn[][url]', 'srt://h:9000'],
      ['conn[][name]', 'x'],
      ['conn[][srtmode]', 'c'],
      ['conn[][srtstreamid]', 'k'],
      ['conn[][srtpass]', 'a-secret-phrase'],
      ['conn[][srtpbkl]', '32'],
      ['conn[][overwrite]', 'on'],
    ]);
    expect(larixSrtLink(target)).not.toContain('srtpass');
  });

  it('truncates a long name between two characters', () => {
    const [, name] = valuesOf(larixLink(rtmp, 'k', '🎻'.repeat(200)))[1] ?? [];
    expect(name).toBe('🎻'.repeat(40));
  });

  it.each([
    ['rtmp://localhost:1935/live', true],
    ['rtmps://127.0.0.1/live', true],
    ['rtmp://[::1]:1935/live', true],
    ['rtmp://192.168.1.20:1935/live', false],
    ['rtmp://localhost.example.com/live', false],
  ])('%s is a loopback URL: %s', (url, expected) => {
    expect(isLoopbackUrl(url)).toBe(expected);
  });
});
