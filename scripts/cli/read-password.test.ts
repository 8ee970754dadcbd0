import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readPassword } from './read-password';

/** Creates a fake terminal: `keys` is its input, `screen` its output, and `readScreen` returns the text of the output so far. */
function createTerminal() {
  const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => keys });
  const screen = new PassThrough();
  let screenText = '';
  screen.on('data', (chunk: Buffer) => (screenText += chunk.toString()));
  return { keys, screen, readScreen: () => screenText };
}

test('--password is used unchanged and cannot be combined with --password-stdin', async () => {
  expect(await readPassword({ password: 'a long pass phrase' })).toBe('a long pass phrase');
  const both = readPassword({ password: 'a long pass phrase', passwordStdin: true });
  await expect(both).rejects.toThrow('Use either');
});

describe('from standard input', () => {
  test.each(['a long pass phrase', 'a long pass phrase\n', 'a long pass phrase\r\n'])(
    'the input %j is read as one line',
    async (text) => {
      const pieces = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
      expect(await readPassword({ passwordStdin: true }, Readable.from(pieces, { objectMode: false }))).toBe(
        'a long pass phrase',
      );
    },
  );

  test('spaces are part of the password', async () => {
    expect(await readPassword({ passwordStdin: true }, Readable.from(['  spaced out \n']))).toBe(
      '  spaced out ',
    );
  });

  test.each(['', '\n', 'one\ntwo\n', 'x'.repeat(5_000)])('the input %j is rejected', async (text) => {
    const reading = readPassword({ passwordStdin: true }, Readable.from([text]));
    await expect(reading).rejects.toThrow('--password-stdin');
  });
});

describe('at a prompt', () => {
  test('typed characters are not shown', async () => {
    const { keys, screen, readScreen } = createTerminal();
    const reading = readPassword({}, keys, screen);
    keys.write('a long pass phrase\r');
    await expect.poll(readScreen).toContain('Repeat password: ');
    keys.write('a long pass phrase\r');
    expect(await reading).toBe('a long pass phrase');
    expect(readScreen()).toBe('Password: \nRepeat password: \n');
  });

  test('two different passwords are rejected', async () => {
    const { keys, screen, readScreen } = createTerminal();
    const reading = readPassword({}, keys, screen);
    const rejection = expect(reading).rejects.toThrow('do not match');
    keys.write('a long pass phrase\r');
    await expect.poll(readScreen).toContain('Repeat password: ');
    keys.write('another pass phrase\r');
    await rejection;
  });

  // Ctrl-C and Ctrl-D.
  test.each(['\u0003', '\u0004'])('%j cancels the prompt', async (key) => {
    const { keys, screen } = createTerminal();
    const rejection = expect(readPassword({}, keys, screen)).rejects.toThrow('No password was entered');
    keys.write(key);
    await rejection;
  });

  test('without a terminal the error names --password-stdin', async () => {
    await expect(readPassword({}, new PassThrough())).rejects.toThrow('--password-stdin');
  });
});
