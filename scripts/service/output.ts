import { stripVTControlCharacters } from 'node:util';
import { createLogger } from '@/lib/infra/logger';

export type Say = (line: string, level?: 'info' | 'warn') => void;

/** Output of the supervisor and its processes. */
export interface Output {
  /** A line of the supervisor. */
  readonly say: Say;
  /** Writes a line of a process. */
  print(process: string, line: string, stream: 'stdout' | 'stderr'): void;
}

type Stream = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/** Text for a person at a terminal, otherwise one JSON object per line. */
export function openOutput(stream: Stream): Output {
  return stream.isTTY ? textOutput(stream) : jsonOutput(stream);
}

function textOutput(stream: Stream): Output {
  const say = (line: string) => void stream.write(`${line}\n`);
  return { say, print: (process, line) => say(`${process.padEnd(8)} | ${line}`) };
}

function jsonOutput(stream: Stream): Output {
  const log = createLogger('supervisor', 'info', { write: (line) => void stream.write(line) });
  const write = (process: string, text: string, level: 'info' | 'warn') => {
    const msg = stripVTControlCharacters(text).trim();
    if (msg !== '') log[level]({ process }, msg);
  };
  return {
    say: (line, level = 'info') => write('supervisor', line, level),
    print(process, line, from) {
      if (isObject(line)) stream.write(`{"process":${JSON.stringify(process)},${line.slice(1)}\n`);
      else write(process, line, from === 'stderr' ? 'warn' : 'info');
    },
  };
}

/** Whether a line is a JSON object with fields, such as a log line of our processes. */
function isObject(line: string): boolean {
  if (!line.startsWith('{"')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
