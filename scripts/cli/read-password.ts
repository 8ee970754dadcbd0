import type { ReadStream } from 'node:tty';
import { createInterface } from 'node:readline/promises';
import { Writable, type Readable } from 'node:stream';
import { ExpectedError } from '../service/run-to-end';

export interface PasswordOptions {
  readonly password?: string;
  readonly passwordStdin?: true;
}

/** Far above the longest password: a wrong file is noticed before it is read whole. */
const maxBytes = 4_096;

/**
 * The password from the option, from standard input, or typed twice at a prompt that shows nothing.
 * @throws ExpectedError where there is none, or two that differ
 */
export async function readPassword(
  { password, passwordStdin }: PasswordOptions,
  input: Readable | ReadStream = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<string> {
  if (password !== undefined && passwordStdin) {
    throw new ExpectedError('Use either --password or --password-stdin.');
  }
  if (password !== undefined) return password;
  if (passwordStdin) return firstLineOf(input);
  if (!('isTTY' in input && input.isTTY)) {
    throw new ExpectedError('There is no terminal to ask for the password. Use --password-stdin.');
  }
  return askTwice(input, output);
}

async function firstLineOf(input: Readable): Promise<string> {
  let text = '';
  for await (const chunk of input.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > maxBytes)
      throw new ExpectedError('--password-stdin: the input is too long for a password.');
  }
  const line = text.replace(/\r?\n$/, '');
  if (line === '' || line.includes('\n')) {
    throw new ExpectedError('--password-stdin: expected one line with the password on standard input.');
  }
  return line;
}

/** readline echoes what is typed to its output: that output is nowhere. */
async function askTwice(input: Readable, output: NodeJS.WritableStream): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input, output: silent, terminal: true });
  const ended = new AbortController();
  prompt.once('SIGINT', () => ended.abort());
  prompt.once('close', () => ended.abort());
  const ask = async (question: string) => {
    output.write(question);
    try {
      return await prompt.question('', { signal: ended.signal });
    } catch {
      throw new ExpectedError('No password was entered.');
    } finally {
      output.write('\n');
    }
  };
  try {
    const first = await ask('Password: ');
    if (first !== (await ask('Repeat password: '))) throw new ExpectedError('The passwords do not match.');
    return first;
  } finally {
    prompt.close();
  }
}
