import { describe, expect, test } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import { openOutput, type Output } from './output';

function outputTo(isTTY: boolean): { output: Output; outputText: () => string } {
  let outputText = '';
  const write = (text: string | Uint8Array) => ((outputText += text.toString()), true);
  return { output: openOutput({ isTTY, write }), outputText: () => outputText };
}

test('a terminal gets text', () => {
  const { output, outputText } = outputTo(true);
  output.log('Ready after 3.2 s');
  output.print('web', '\u001b[32mok\u001b[0m', 'stdout');
  output.print('postgres', 'FATAL: gone', 'stderr');
  expect(outputText()).toBe('Ready after 3.2 s\nweb      | \u001b[32mok\u001b[0m\npostgres | FATAL: gone\n');
});

describe('other outputs', () => {
  /** Lines of JSON that `act` writes, without the time, which each line must have. */
  function linesOf(act: (output: Output) => void): Record<string, unknown>[] {
    const { output, outputText } = outputTo(false);
    act(output);
    const lines = outputText().split('\n');
    expect(lines.pop()).toBe('');
    return lines.map((line) => {
      const { time, ...fields } = JSON.parse(line) as Record<string, unknown>;
      expect(Date.parse(String(time))).toBeGreaterThan(0);
      return fields;
    });
  }

  test('contain lines of the supervisor as JSON with a level, which can be found by their text', () => {
    const role = 'supervisor';
    const lines = linesOf((output) => {
      output.log('Ready after 3.2 s');
      output.log('  Dashboard  http://localhost:3000');
      output.log('web ended (SIGKILL); restarting now', 'warn');
    });
    expect(lines).toEqual([
      { level: 'info', role, process: 'supervisor', msg: 'Ready after 3.2 s' },
      { level: 'info', role, process: 'supervisor', msg: 'Dashboard  http://localhost:3000' },
      { level: 'warn', role, process: 'supervisor', msg: 'web ended (SIGKILL); restarting now' },
    ]);
    const { output, outputText } = outputTo(false);
    output.log('Ready after 3.2 s');
    expect(outputText()).toContain('Ready after 3.2 s');
  });

  test('contain log lines of a process with their fields and its name', () => {
    const lines = linesOf((output) => {
      const print = (line: string) => output.print('live', line.trimEnd(), 'stdout');
      createLogger('live', 'info', { write: print }).warn({ ip: '192.0.2.1', open: 3 }, 'said "no"');
    });
    expect(lines).toEqual([
      { process: 'live', level: 'warn', role: 'live', ip: '192.0.2.1', open: 3, msg: 'said "no"' },
    ]);
  });

  test('contain text of a process as a message, without colours or empty lines', () => {
    const role = 'supervisor';
    const lines = linesOf((output) => {
      output.print('web', '\u001b[32m ▲ Next\u001b[0m {"a":1}', 'stdout');
      output.print('web', '   ', 'stdout');
      output.print('postgres', 'FATAL: gone', 'stderr');
      for (const text of ['{}', '{"half":', '{"a":1} and more', '[1]']) output.print('jobs', text, 'stdout');
    });
    expect(lines.slice(0, 2)).toEqual([
      { level: 'info', role, process: 'web', msg: '▲ Next {"a":1}' },
      { level: 'warn', role, process: 'postgres', msg: 'FATAL: gone' },
    ]);
    expect(lines.slice(2).map(({ msg }) => msg)).toEqual(['{}', '{"half":', '{"a":1} and more', '[1]']);
  });
});
