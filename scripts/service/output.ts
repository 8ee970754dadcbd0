import { stripVTControlCharacters } from 'node:util';
import { createLogger } from '@/lib/infra/logger';

/** Writes a line of the supervisor. The level is `info` by default. */
export type WriteLogLine = (line: string, level?: 'info' | 'warn') => void;

/** Output of the supervisor and its processes. */
export interface Output {
  /** Writes a line of the supervisor. */
  readonly log: WriteLogLine;
  /** Writes a line of a process. */
  print(process: string, line: string, stream: 'stdout' | 'stderr'): void;
}

type Stream = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/** Opens the output of the supervisor: text for a terminal, otherwise one JSON object per line. */
export function openOutput(stream: Stream): Output {
  return stream.isTTY ? createTextOutput(stream) : createJsonOutput(stream);
}

function createTextOutput(stream: Stream): Output {
  const log = (line: string) => void stream.write(`${line}\n`);
  return { log, print: (process, line) => log(`${process.padEnd(8)} | ${line}`) };
}

function createJsonOutput(stream: Stream): Output {
  const log = createLogger('supervisor', 'info', { write: (line) => void stream.write(line) });
  const write = (process: string, text: string, level: 'info' | 'warn') => {
    const msg = stripVTControlCharacters(text).trim();
    if (msg !== '') log[level]({ process }, msg);
  };
  return {
    log: (line, level = 'info') => write('supervisor', line, level),
    print(process, line, origin) {
      if (isJsonObject(line)) stream.write(`{"process":${JSON.stringify(process)},${line.slice(1)}\n`);
      else write(process, line, origin === 'stderr' ? 'warn' : 'info');
    },
  };
}

/** Whether a line is a JSON object with fields, such as a log line of a process of the service. */
function isJsonObject(line: string): boolean {
  if (!line.startsWith('{"')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
