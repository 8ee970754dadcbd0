import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assetMachine } from '@/lib/core/assets/asset-state';
import { uploadMachine } from '@/lib/core/assets/upload-state';
import { drainMachine } from '@/lib/core/nodes/drain';
import { recordingMachine } from '@/lib/core/sessions/recording-state';
import { sessionMachine } from '@/lib/core/sessions/session-state';
import type { StateMachine } from '@/lib/core/state-machine';
import { publisherMachine } from '@/lib/core/streams/go-live/publisher-state';
import { streamMachine } from '@/lib/core/streams/stream-state';
import { targetMachine } from '@/lib/core/targets/target-state';
import { taskMachine } from '@/lib/core/tasks/task-state';
import { deliveryMachine } from '@/lib/core/webhooks/delivery-state';

const root = join(import.meta.dirname, '..');

const machines: Readonly<Record<string, StateMachine<string, string, string>>> = {
  stream: streamMachine,
  asset: assetMachine,
  task: taskMachine,
  target: targetMachine,
  delivery: deliveryMachine,
  upload: uploadMachine,
  session: sessionMachine,
  recording: recordingMachine,
  publisher: publisherMachine,
  drain: drainMachine,
};

/** The section of docs/architecture.md between two markers, without the padding of the formatter. */
function printedTable(name: string): string {
  const document = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
  const [, table = ''] = new RegExp(`<!-- ${name} -->\\n([^]*?)<!-- /${name} -->`).exec(document) ?? [];
  return table.trim().replaceAll(/ +\|/g, ' |').replaceAll(/-{3,}/g, '---');
}

describe.each(Object.entries(machines))('%s', (name, machine) => {
  test('is printed in docs/architecture.md, and every transition is decided', () => {
    const rows = [[name, ...machine.events], ['', ...machine.events].map(() => '---'), ...machine.table()];
    expect(printedTable(`${name}-state`)).toBe(rows.map((row) => `| ${row.join(' | ')} |`).join('\n'));
  });

  test('conditions of updates are the states in which an event is possible', () => {
    for (const event of machine.events) {
      const possible = machine.states.filter((state) => machine.nextState(state, event) !== null);
      expect(possible).not.toEqual([]);
      expect(machine.statesBefore(event)).toEqual(possible);
      const results = new Set(possible.map((state) => machine.nextState(state, event)));
      if (results.size === 1) expect([machine.stateAfter(event)]).toEqual([...results]);
      else expect(() => machine.stateAfter(event)).toThrow('does not have exactly one target state');
    }
  });
});

test('every state machine is in this list, made by defineMachine', () => {
  const files = readdirSync(join(root, 'lib/core'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path !== 'state-machine.ts',
  );
  const texts = files.map((path) => [path, readFileSync(join(root, 'lib/core', path), 'utf8')] as const);
  expect(texts.filter(([, text]) => text.includes('defineMachine('))).toHaveLength(
    Object.keys(machines).length,
  );
  const handwrittenPattern =
    /\b(const transitions\b|Record<\w+State, Readonly<Record<\w+Event,|(States|Phases)(Before|After)\b|(State|Phase)(Before|After)\b)/;
  expect(texts.filter(([, text]) => handwrittenPattern.test(text)).map(([path]) => path)).toEqual([]);
});
