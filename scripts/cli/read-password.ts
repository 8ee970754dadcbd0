import type { ReadStream } from 'node:tty';
import { createInterface } from 'node:readline/promises';
import { Writable, type Readable } from 'node:stream';
import { ExpectedError } from '../service/expected-error';

export interface PasswordOptions {
  readonly password?: string;
  readonly passwordStdin?: true;
}

/** Maximum size of the input. It is far above the longest password, and rejects a wrong file before it is read completely. */
const MAX_BYTES = 4_096;

/**
 * Reads the password from the option, from standard input, or from a prompt that asks twice without echo.
 * @throws ExpectedError if there is none, or if the two entries differ
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
  if (passwordStdin) return readOnlyLine(input);
  if (!('isTTY' in input && input.isTTY)) {
    throw new ExpectedError('There is no terminal to prompt for the password. Use --password-stdin.');
  }
  return promptTwice(input, output);
}

async function readOnlyLine(input: Readable): Promise<string> {
  let text = '';
  for await (const chunk of input.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_BYTES)
      throw new ExpectedError('--password-stdin: the input is too long for a password.');
  }
  const line = text.replace(/\r?\n$/, '');
  if (line === '' || line.includes('\n')) {
    throw new ExpectedError('--password-stdin: expected one line with the password on standard input.');
  }
  return line;
}

/** Prompts for the password twice. The output of readline is discarded, because it echoes the typed characters. */
async function promptTwice(input: Readable, output: NodeJS.WritableStream): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, callback) => callback() });
  const prompt = createInterface({ input, output: silent, terminal: true });
  const cancellation = new AbortController();
  prompt.once('SIGINT', () => cancellation.abort());
  prompt.once('close', () => cancellation.abort());
  const ask = async (question: string) => {
    output.write(question);
    try {
      return await prompt.question('', { signal: cancellation.signal });
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
